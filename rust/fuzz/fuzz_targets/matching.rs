#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reclaimstats_fuzz::matching(&String::from_utf8_lossy(
    bytes
)));
