//! Tells the module which sources its interface was built from: `python/reclaimstats/_built.py`
//! compares that with what it finds beside itself.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let stub = here.join("../../python/reclaimstats/_core.pyi");
    println!("cargo::rerun-if-changed={}", stub.display());
    println!("cargo::rerun-if-changed=src");
    let binding = sum_of(&here.join("src"))?.wrapping_add(crc32(&fs::read(stub)?));
    println!("cargo::rustc-env=RECLAIMSTATS_BINDING={binding:08x}");
    Ok(())
}

/// Checksums of all sources in a directory, added: in whatever order they are found.
fn sum_of(directory: &Path) -> io::Result<u32> {
    let mut sum = 0_u32;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            sum = sum.wrapping_add(sum_of(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sum = sum.wrapping_add(crc32(&fs::read(path)?));
        }
    }
    Ok(sum)
}

/// The checksum of `zlib.crc32`.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    })
}
