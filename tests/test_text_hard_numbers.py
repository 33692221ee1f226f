r"""Hard lines behind a marker, each with the number that a careful reader would take from it.

The tables are by kind; `read` says which value every answer of a kind commits to, `null` that it
commits to none. `tests/test_text_hard_options.py` has those of words, letters and times.
"""

import polars as pl
import pytest

import reclaimstats as rs


def numbers(replies: list[str], **options: str) -> list[tuple[float | None, str]]:
    trace = rs.text.answer_number("reply", with_trace=True, **options).alias("trace")
    rows = pl.DataFrame({"reply": replies}).select(trace).unnest("trace")
    return rows.select("value", "status").rows()


def wrong(answers: list[str], value: float | None, reply: str = "It was 99.\nANSWER: {}") -> list:
    found = numbers([reply.format(answer) for answer in answers])
    return [
        (answer, *reading)
        for answer, reading in zip(answers, found, strict=True)
        if reading[0] != value or (reading[1] == "read") != (value is not None)
    ]


READ: dict[str, tuple[float, list[str]]] = {
    "words that leave it as it is": (46, [
        "46 more", "46 more pens", "46, provided by Ana", "46 (originally 55)",
        "46 (initially 55, then changed)", "46 days off",
        "46. March was dear.", "46 = 46.0", "46, because the price changed",
        "46 in May", "46 (assuming the first sum was right)",
    ]),
    "struck out": (46, [
        "~~55~~ 46", "~~$55~~ $46", "46 ~~55~~", "46 (~~55~~)", "<del>55</del> 46", "~~55~~ **46**",
        "<s>55 or 47</s> 46", "~~about 55~~ ~~47~~ about 46", "~~unknown~~ 46", "46 ~~or 55~~",
        "The total is ~~55~~ 46.", "<strike>55</strike> <b>46</b>", "$46 ~~$55~~",
    ]),
    "what it is compared with": (46, [
        "46, less than before", "46 (more than before)", "46, up from 40", "46 (down from 55)",
        "Therefore, 46", "Thus, 46.", "kr 46", "46 as of 12 May", "46 since May", "46 円", "46 zł",
    ]),
    "signs": (-46, [
        "-46", "−46", "–46", "‐46", "‑46", "﹣46", "－46", "—46", "-46.0", "− 46", "minus 46",
        "negative 46", "(-46)", "-$46", "$-46", "-\\$46", "\\$-46", "$ -46", "−$46", "€-46",
        "-46 €", "-46€", "-46 USD", "USD -46", "-USD 46", "minus $46", "-US$46", "$−46", "-$46.00",
        "-46%", "-46 °C", "\u200e-46", "-\u200e46", "\u200f−46\u200f", "\\(-46\\)", "$-46$",
        "\\boxed{-46}", "**-46**", "The balance is -$46.", "x = -46", "-46.", "<-46>",
    ]),
    "plus signs": (46, ["+46", "+$46", "+ 46", "+46%", "$+46", "＋46"]),
    "currency signs": (46, [
        "$46", "\\$46", "$ 46", "46$", "46 $", "€46", "46 €", "46€", "£46.00", "¥46", "￥46",
        "＄46", "₹46", "₩46", "₽46", "46 ₽", "₿46", "46¢", "US$46", "A$46", "C$46", "CA$46",
        "HK$46", "NT$46", "R$46", "R$ 46", "S$46", "$46 USD", "$46USD", "USD $46", "USD$46",
        "£46 GBP", "$\\$46$",
    ]),
    "currency codes and names": (46, [
        "USD 46", "USD46", "46 USD", "46USD", "EUR46", "46 CHF", "Rs 46", "Rs. 46", "Rs.46",
        "INR 46", "46 dollars", "46 Dollars.", "46 US dollars", "46 euros", "46 pounds", "46 yen",
        "46円", "46元", "46 zł", "46 kr.", "46 руб.", "RMB 46", "CNY 46", "46 quid", "46 bucks",
        "46.00 dollars.",
    ]),
    "thousands": (1234567.5, [
        "1,234,567.5", "1 234 567.5", "1\u00a0234\u00a0567.5", "1\u202f234\u202f567.5",
        "1\u2009234\u2009567.5", "1'234'567.5", "1’234’567.5", "1{,}234{,}567.5",
        "1\\,234\\,567.5", "1\\ 234\\ 567.5", "1.234.567,5", "1 234 567,5", "1'234'567,5",
        "$1,234,567.50", "１，２３４，５６７．５", "1234567.5", "₹12,34,567.5", "Rs 12,34,567.50",
        "12,34,567.5 rupees", "\\text{1,234,567.5}", "\\$1,234,567.5", "1,234,567.5 km",
    ]),
    "decimals": (0.5, [
        ".5", "0.5", "0.50", "$.50", "+.5", "０．５", "0.5.", "50e-2", "5 × 10^-1", "5 × 10⁻¹",
        "5 \\times 10^{-1}", "5\\cdot10^{-1}", "5E-01", "5*10^(-1)", "½", "1/2", "1 / 2", "1⁄2",
        "2/4", "\\frac{1}{2}", "\\dfrac{1}{2}", "\\tfrac{1}{2}", "\\frac12", "$\\frac{1}{2}$",
        "1/2 cup", "½ cup", "1/2 of a cup", "1/2 = 0.5", "0.5 (1/2)", "½ (50%)", "0.5 = 50%",
        "50/100",
    ]),
    "a negative fraction": (-0.375, [
        "-3/8", "−⅜", "-\\frac{3}{8}", "\\frac{-3}{8}", "$-\\dfrac{3}{8}$", "-.375", "minus 3/8",
    ]),
    "mixed numbers": (2.75, [
        "2 3/4", "2¾", "2 ¾", "2\\frac{3}{4}", "2 \\frac{3}{4}", "$2\\dfrac{3}{4}$", "2 3/4 cups",
        "11/4",
    ]),
    "powers of ten": (1500, [
        "1.5e3", "1.5E3", "1.5e+3", "1.5e+03", "1.5 × 10^3", "1.5×10³", "1.5x10^3", "1.5 x 10^3",
        "1.5*10^3", "1.5 * 10**3", "1.5 \\times 10^{3}", "$1.5 \\times 10^3$", "1.5\\cdot10^3",
        "1.5 · 10^3", "1.5 ⋅ 10³", "1.5e3 kg", "1.5 × 10^{3} m/s", "1.5k", "1.5 thousand", "$1.5K",
        "1.5 × 10<sup>3</sup>", "15 hundred", "~1.5 × 10³",
    ]),
    "percent and units": (46, [
        "46%", "46 %", "46％", "46٪", "46\\%", "46 percent", "46 per cent", "46 pct", "46kg",
        "46 kg", "46km", "46 km/h", "46km/h", "46 m/s", "46 m/s²", "46 m/s^2", "46 m·s⁻¹",
        "46 kg·m²", "46 m²", "46 m^2", "46 m2", "46 m<sup>2</sup>", "46 sq ft", "46 sq. ft.",
        "46 ft²", "46 lbs", "46 lb.", "46 oz", "46 mph", "46kWh", "46 GB", "46GB", "46MHz", "46C",
        "46 C", "46°C", "46 °C", "46ºC", "46℃", "46 °F", "46°", "46^\\circ", "46^{\\circ}C",
        "46 degrees Celsius", "46L", "46 mL", "46V", "46W", "46 µm", "46 Ω", "46'", "46\"",
        "46 units", "46 pens", "46 pens.", "46 people", "46 pens and pencils", "46 miles",
        "46 hours", "46 min", "46 years old", "46h", "46/month", "$46/mo", "$46 per month",
        "$46 a month", "46 USD/month", "46 pens/box", "46个", "46人", "46岁", "46 개",
        "$46m$", "$46 m$", "$46\\,\\text{kg}$", "$46\\ \\mathrm{km}$", "46~\\text{km}", "46~km",
        "46 percentage points",
    ]),
    "about": (46, [
        "≈46", "≈ 46", "~46", "~ 46", "∼46", "≃46", "about 46", "approximately 46", "approx. 46",
        "approx 46", "around 46", "roughly 46", "circa 46", "ca. 46", "c. 46", "46 (approx.)",
        "46 approximately", "46, roughly", "46ish", "46-ish", "46 -ish", "46 or so",
        "46 pens or so", "\\approx 46", "$\\approx 46$", "\\sim 46", "x ≈ 46", "约46", "大约46",
        "46左右", "≈ $46", "The total is about 46.", "exactly 46", "just 46", "only 46",
        "a total of 46", "precisely 46",
    ]),
    "wrappers": (46, [
        "**46**", "*46*", "__46__", "_46_", "***46***", "`46`", "```46```", "\"46\"", "'46'",
        "“46”", "‘46’", "«46»", "„46“", "「46」", "[46]", "(46)", "{46}", "<46>", "<<46>>",
        "[[46]]", "(46).", "<b>46</b>", "<strong>46</strong>", "<b><i>46</i></b>",
        "<answer>46</answer>", "46</answer>", "46<br>", "46</s>", "46<|im_end|>", "46<|eot_id|>",
        "46<eos>", "| 46 |", "46 |", "\\boxed{46}", "$\\boxed{46}$", "\\boxed{\\text{46 pens}}",
        "\\boxed{\\$46}", "\\boxed{46\\%}", "\\fbox{46}", "\\boxed{46 \\text{ pens}}",
        "\\mathbf{46}", "\\textbf{46}", "\\mathrm{46}", "\\underline{46}", "\\(46\\)", "\\[46\\]",
        "$46$", "$$46$$", "$46\\$", "\\left(46\\right)", "\\quad 46", "\\displaystyle 46",
        "\\boxed{\\mathbf{46}}", "\\[ \\boxed{46} \\]", "✅ 46", "46 ✅", "🎉46🎉", "👉 46",
        "😀 46 😀", "４６", "٤٦", "४६", "𝟒𝟔", "\ufeff46", "\u200b46\u200b", "\u202b46\u202c",
        "= 46", "→ 46", "=> 46", "• 46", ": 46", "46.", "46。", "46!", "46!!", "46...", "46 .",
        "46;", "46,", "46 ###", "&nbsp;46", "46&nbsp;pens", "46&nbsp;", "46\t", "\t46", "46.00",
        "046", "($46)", "\\$46.00\\",
    ]),
    "a number called a number": (46, [
        "#46", "# 46", "No. 46", "no. 46", "Nr. 46", "№ 46", "№46", "n° 46", "Nº 46", "number 46",
        "Number 46", "№\u00a046", "No.46", "num. 46",
    ]),
    "spelled out and in figures": (46, [
        "Forty-six (46) notebooks", "forty-six $(46)$", "forty-six (46)", "Forty-six (46)",
        "forty six (46)", "Forty-six (46) pens", "46 (forty-six)", "Forty-six dollars ($46)",
        "**Forty-six (46)**", "forty‑six (46).", "forty-six [46]", "forty-six, or 46",
        "46 (forty six)", "46 (forty-six pens)", "forty-six = 46", "forty-six: 46",
    ]),
    "sentences": (46, [
        "28 plus 18 makes 46", "Adding 28 and 18 gives us 46.", "It costs $46, not $55.",
        "Yes, 46", "OK: 46", "The total remains 46", "Let x = 46", "f(2) = 46",
        "The total is $46.", "The answer is 46", "The answer is: 46", "It comes to 46 in all.",
        "You need 46 pens.", "She has 46 apples left.", "Ana owes $46.", "You now have 46 coins.",
        "Ana and Ben have 46 coins altogether.", "The box holds about 46 kg.", "They own 46.",
        "The bag contains 46 red marbles in total.", "She has 46 apples, not 55.",
        "You need 46 pens instead of 55.", "You need 46 pens (28 + 18).", "It costs 46 dollars.",
        "She has 46 apples because 28 + 18 = 46.", "There are 46 pens in total.",
        "It is 46", "It's 46.", "That's 46 pens.", "There are 46 pens.", "The sum equals 46",
        "It should be 46", "It must be 46", "It adds up to 46", "It works out to 46",
        "46 is the total", "46 is correct", "46 is my answer", "The total amounts to $46",
        "So the total is 46", "Therefore, the total is 46.", "Thus 46", "So 46", "So, 46",
        "Hence 46.", "The total price is therefore 46", "The final answer is **46**.",
        "The final answer is $\\boxed{46}$.", "I get 46", "I got 46.", "We get 46",
        "The result is then 46", "My answer is 46", "The total of 3 pens and 2 caps is 46",
        "the total (with tax) is $46",
    ]),
    "labels": (46, [
        "Total: 46", "Total due: $46", "Amount due: $46", "Total price of 3 pens: 46",
        "Cost = $46", "Total cost = $46", "x = 46", "Grand total: $46", "Revenue: $46",
        "Net revenue: $46", "Age: 46", "Distance: 46 km", "Population: 46", "Profit = 46",
        "Remaining budget: $46", "Amount owed: $46", "Balance due = $46", "Time: 46 minutes",
        "Speed: 46 km/h", "Weight: 46kg", "Temperature: 46 °C", "Score: 46", "Total (USD): 46",
        "Result: 46", "Final price: $46", "Number of pens: 46", "Answer = 46", "Sum: 28 + 18 = 46",
        "Attendance: 46", "Price per pen: $46", "**Total:** $46", "Total — $46", "Area = 46 m²",
        "n = 46", "P = 46",
    ]),
    "expressions": (46, [
        "28 + 18 = 46", "$28 + $18 = $46", "$168 - $122 = $46", "46 = 28 + 18", "x = 28 + 18 = 46",
        "7*4 + 9*2 = 28 + 18 = 46", "(7 × 4) + (9 × 2) = 46", "2 × 23 = 46", "92/2 = 46",
        "92 / 2 = 46", "92 ÷ 2 = 46", "7 hats × $4 + 9 pins × $2 = $46", "28 + 18 = 46 pens",
        "2 pens at $23 each = $46", "7 hats at $4 each + 9 pins at $2 each = $46",
        "28+18=46", "$28 + 18 = 46$", "28 + 18 = **46**", "28 + 18 = \\boxed{46}", "28 + 18 ≈ 46",
        "50 - 4 = 46.", "50 − 4 = 46", "28 plus 18 is 46", "28 + 18 equals 46",
        "23 \\times 2 = 46", "23 x 2 = 46", "46 (28 + 18)", "46 (= 28 + 18)",
        "3 × $10 + $16 = $46 in total",
    ]),
    "remarks": (46, [
        "It's not 55, it's 46", "The total is not 55, it is 46.", "46, not 55 or 56",
        "46 (rounded to 2 decimals)", "46 (down from 55)", "46 (revised from 55)",
        "46 as stated in the note", "46 now (55 before)", "46, i.e. 28 + 18", "46 (95% CI 40-52)",
        "46 (was 55)", "46, not 55", "46 hats, not 55", "46 instead of 55", "46 rather than 55",
        "46 because 28 + 18 = 46", "46 (the 55 was wrong)", "46. The 55 was wrong.",
        "46 — see above", "46 – see above", "46 - see above", "46 (previously 55)", "46 (46.0)",
        "46 (28 + 18 = 46)", "46 (rounded)", "46 (based on the 2 receipts)",
        "46, since 28 + 18 = 46", "46; see above", "46 pens (7 boxes of 6, and 4)",
        "46 (corrected from 55)", "46 (not 55)", "not 55 but 46", "It is not 55 but 46",
        "46 [final]", "46 (in thousands of dollars)", "46 in total", "46 total", "46 altogether",
        "46 as of June", "46 to be exact", "46 【1†source】", "46[^1]",
    ]),
}  # fmt: skip


NULL: dict[str, list[str]] = {
    "bounds": [
        "> 46", ">46", "< 46", "≥46", "≤ 46", ">= 46", "<= 46", "> $46", "\\geq 46", "\\le 46",
        "46+", "46 +", "$46+", "46+ pens", "46 and up", "46 and above", "46 and over",
        "46 and more", "46 and counting", "46 or more", "46 or fewer", "46 or less",
        "46 or higher", "46 pens or more", "46 years and over", "46 and older", "at least 46",
        "at most 46", "more than 46", "less than 46", "up to 46", "no more than 46", "over 46",
        "under 46", "below 46", "above 46", "minimum 46", "max. 46", "46 at most", "46 at least",
        "46 maximum", "46 or below", "as many as 46", "46 max", "greater than 46", "46 plus",
        "46 and change", "46 upwards", "46 onwards", "46以上", "46以下", "46以内", "46多",
        "至少46", "超过46", "The total is at least 46", "The total is over $46",
        "The total exceeds 46", "a minimum of 46", "no less than 46", "46 and rising", "nearly 46",
        "almost 46", "&gt;46", "&lt;46", "46<", "between 46 and more", "46 (or more)",
        "46 (minimum)", "⩽ 46", "≦46", "≧ 46", "≲46", "⪆ 46", "≮ 46", "≯46", "≱ 46", "46 以上",
        "46 이상", "46 以下です",
    ],
    "a date": ["6 May", "6 May 2024", "6. Mai", "6 mai", "6 de mayo", "6 Januar", "6. Mai 2024"],
    "a condition": [
        "46, assuming no tax", "46 assuming no tax", "46 provided the note holds",
        "46, provided it holds",
    ],
    "changed behind": [
        "46 less shipping", "46 more than before", "46% more", "$46 off", "46 dollars off",
        "46% off", "46 halved", "46 doubled", "46=47", "46 = 47", "$46 = $47",
    ],
    "of another time, or doubted": [
        "46 originally", "46 (originally)", "46 initially", "46 (initially)", "46 at first",
        "46 (at first)", "46 back then", "46 (deprecated)", "46, since changed", "46 by mistake",
        "46 (a typo)", "46 nope", "46 iirc", "46 AFAIK", "46, iirc", "46 from memory",
        "initially 46", "originally 46", "at first 46",
    ],
    "sentences of something else": [
        "He had 46", "I have 2 options", "You have 2 options", "I only know 3 of the prices",
        "She has 46 of 50", "You need 46 more than before", "You need 2 more prices",
        "I need 2 more prices", "She has at least 46", "She has up to 46 apples", "She has no 46",
        "There are 3 reasons why I cannot say", "She doesn't have 46 apples.", "Nobody has 46.",
        "She probably has 46 apples.", "She has 46 apples, I think.", "She has 46 apples or 47.",
        "She has 46 apples and 12 pears.", "She has 46 apples. Ben has 12.", "If Ana has 46 apples",
        "Does she have 46 apples?", "She has 46 apples? No.", "She has 46 apples. That is wrong.",
        "Ana says Ben has 46", "Ben thinks Ana has 46 apples.", "She has 46% more",
        "We have 46.", "She has between 46 and 50", "She has almost 46 apples.",
        "Ana no longer has 46 apples.", "The old list has 46 apples.", "My notes have 46 entries.",
        "You need 46 pens for 3 classes.",
        "You need 46 pens, but one price is missing.", "You need 46 pens, assuming no tax.",
        "Ana could have 46 apples.", "He earns $46 per hour.", "Ben has 46 apples fewer",
    ],
    "ranges": [
        "4-8", "4–8", "4—8", "4 - 8", "4 – 8", "4 to 8", "4 through 8", "between 4 and 8",
        "from 4 to 8", "4..8", "4...8", "4…8", "4~8", "4～8", "4〜8", "$4-$8", "$4 to $8",
        "4-8 pens", "4 pens to 8 pens", "4% to 8%", "4 to eight", "4至8", "4到8", "4-to-8",
        "[4, 8]", "[4-8]", "(4, 8)", "4 ± 2", "4 +/- 2", "±4", "+/-4", "4 (±2)", "4 \\pm 2",
        "4 \\text{ to } 8", "4 until 8", "4 up to 8", "4 → 8", "4 -> 8", "4 => 8", "4°–8°",
        "4 kg – 8 kg", "4 bis 8", "4 à 8", "4 a 8", "de 4 a 8", "4 minus",
    ],
    "lists": [
        "4, 8, 15", "4 8 15", "4; 8", "4; 8; 15", "4 and 8", "4 & 8", "4 or 8", "4, 8", "4 | 8",
        "4 pens at $8", "4 at 8 = 46 or 55", "4/8/15",
        "4, then 8", "4 then 8", "46 (55)", "46 [1]", "46 or 55", "46, or 55",
        "46 (or 55)", "46, maybe 55", "46 or maybe 55", "either 46 or 55", "46 vs 55",
        "46 / 55 / 60", "4 and 8 pens", "4, and 8", "x = 4, y = 8", "x = 4 or x = 8", "1) 4 2) 8",
        "46 or forty-seven", "46, forty-seven", "46 (forty-seven)", "forty-seven (46)",
        "5 ft 10 in", "5'10\"", "5' 10\"", "2 h 30 min", "2h 30m", "1 lb 4 oz", "3 weeks 2 days",
        "46 pens, 12 caps", "46 pens 12 caps", "$4 and 50 cents", "46. 47", "46.\u200947",
        "a) 46 b) 47", "46 + 47", "4:8", "46\\n47", "46 47", "46 and a half", "46 of 50",
        "46 out of 50", "46 in 50", "1 in 4", "46 divided by 2", "2 times 23", "46 per 100",
    ],
    "something else in digits": [
        "12:45", "16h15", "12pm", "3 p.m.", "3pm", "12 noon", "9:00-9:30", "9 Uhr", "5 o'clock",
        "3rd", "46th", "the 46th", "46 th", "46<sup>th</sup>", "46^{th}", "46ᵗʰ", "3º", "3.º",
        "3ème", "第46", "46²", "46^2", "2^5", "2**5", "46<sup>2</sup>", "1/2/2024", "2024-05-12",
        "12.05.2024", "May 12, 2024", "12 May 2024", "12 June", "12-May", "June 12", "1.2.3",
        "v1.2.3", "v46", "version 1.2", "192.168.1.1", "555-1234", "(555) 123-4567",
        "1-800-555-1234", "+1 555 123 4567", "1e400", "A46", "46A1", "3D", "5-star", "1990s",
        "46x", "3y", "2n", "3i", "12a", "4b)", "46q",
        "2π", "2\\pi", "3\\sqrt{2}", "3√2", "√46", "2 pi", "46x + 2",
        "3/0", "2 7/3", "0x2E", "1_234", "46a7", "COVID-19", "46-year-old", "46er", "1:2:3",
        "46 dozen", "0.\\overline{3}", "46 squared", "46 factorial", "log 46", "sin(46)", "2x46",
        "46\u200b5", "4\u200b6", "1,\u200b234", "4\u20606", "4\u0336 6", "46\u0336", "0.3\u0305",
        "46 below zero", "half of 46", "twice 46", "46 squared is 2116", "\\sqrt{46}", "\\log 46",
        "\\frac{46}{x}", "\\frac{a}{46}", "46-", "$46-", "46%-", "@46",
    ],
    "notations that readers read differently": [
        "46 hundred thousand", "46 thousand five hundred", "1.5 hundred million", "1,5", "0,375",
        "12,50", "1,2345", "1,23,456", "12,34", "0,123", "1,234,56", "1.234,567,8", "1, 234",
        "1 ,234", "12,345,6", "€46,00", "5M", "5 M", "300 K", "46MM", "46B", "46T", "46 M",
        "$46 M", "46Mn", "70b", "46 b", "46b.",
    ],
    "scales that are not read": [
        "3万", "5億", "2千", "46 Milliarden", "2 tausend", "46 Mio.?", "3 mil", "2 mille",
        "2 mila", "3 тыс.", "3 тысячи", "3 млн", "2 миллиона", "3 करोड़", "3 लाख", "3 مليون",
        "2 ألف", "5 triệu", "2 nghìn", "3 juta", "2 ribu", "3 milyon", "5 bin", "2 tusen",
        "2 duizend", "3 tys.", "3 mld", "2 tisíc", "3만", "2억", "2 dozen", "3 score", "2 grand",
        "46 bil", "46 tril", "3 thousandths",
    ],
    "doubt": [
        "probably 46", "maybe 46", "perhaps 46", "possibly 46", "likely 46", "I think 46",
        "I think it is 46", "I believe 46", "I guess 46", "46, I think", "46 I think",
        "46 (I think)", "46?", "46 ?", "46 (?)", "46!?", "46？", "46؟", "46\u200b?", "46 ⁇", "46‽",
        "46 ❓", "¿46?", "46 (I am not sure)", "46 (unverified)", "46, unverified",
        "46 (not verified)", "46, but I cannot verify it", "46 (cannot verify)",
        "46 if the tax is right", "46, if the tax is right", "46 (if correct)",
        "46 assuming nothing changed?", "46 — not sure", "46 - unsure", "46 (guess)",
        "46 (a guess)", "46 (best guess)", "best guess: 46", "My guess is 46", "46, my best guess",
        "46 (uncertain)", "46 (low confidence)", "46 (tentative)", "tentatively 46",
        "46, presumably", "presumably 46", "supposedly 46", "46, allegedly", "I would guess 46",
        "I'd guess 46", "It might be 46", "It could be 46", "The total would be 46",
        "It may be 46", "It seems to be 46", "It appears to be 46", "unverified: 46",
        "46 (hypothetical)", "hypothetically 46", "46 (estimate)?", "46 pending review", "46 🤷",
        "46 (needs checking)", "46, to be confirmed", "46 (to be confirmed)", "46 (TBC)",
        "46 (tbd)",
    ],
    "taken back": [
        "55 -> corrected: 46", "55 (superseded by 46)", "55 (now 46)", "55 (should be 46)",
        "55, I mean 46", "55, er, 46", "55, rather 46", "55 - wait, 46", "55 hmm",
        "The old rule gives 55", "no longer 55, now 46", "55 (wrong)", "55 is wrong",
        "55 no longer", "55 used to be right", "55 isn't it", "55 is not it", "55 — no, wait",
        "55, wait", "55. Wait, 46", "55? No, 46", "55, sorry, 46", "55. Sorry, 46",
        "55. That is wrong.", "55. But tax is missing.", "❌ 55", "55 ❌", "~~55~~", "~~55",
        "55 ~~", "<del>55</del>", "<s>55</s>", "55 (old value)", "55 (outdated)", "55 (stale)",
        "the old 55", "was 55", "55 was the sum", "formerly 55", "previously 55", "55 falsch",
        "55不对", "55 nein", "Old total: 55", "Previous total: 55", "Stored total: 55",
        "Remembered total: 55", "earlier total: 55", "The earlier sum is 55",
        "The old total is 55", "The note says 55", "According to the note, 55", "Memory: 55",
        "Note: 55", "Error: 404", "Error 404", "Warning: 55", "information is lost: 55",
        "Keine Angabe: 55", "inconnu (avant : 55)", "je ne sais pas: 55", "desconocido: 55",
        "неизвестно: 55", "不明: 55", "Question 2: 46", "Step 3: 46", "Last session: 55",
        "Unconfirmed total: 55", "Total unknown: 55", "Total (unverified): 55", "Wrong total: 55",
        "55 (from memory; not verified)", "55. However, that is outdated.", "55 -> 46", "55 → 46",
        "I cannot confirm 55", "55 cannot be confirmed", "55, which is wrong", "55 (incorrect)",
        "46. The total is 55.", "46. Actually, 55", "1. 46", "1) 46", "- 46", "46 (negative)",
        "46 (at least)", "Not 46", "It isn't 46", "It can't be 46", "Neither 46 nor 55",
        "55, disregard", "ignore 55",
    ],
    "no digits": [
        "", "???", "forty-six", "XLVI", "ten", "X", "$X", "x", "...", "—", "-", "$", "N", "**",
        "___", "=", "see above", "The sum is $Z.", "as computed above", "all of them", "a dozen",
    ],
}  # fmt: skip


ABSTAINED = [
    "unable", "Unable to determine", "unable (earlier 55)", "Unable to say … ($55)",
    "I cannot determine", "I can't tell", "I can’t tell", "I can’t say: 55",
    "cannot be determined", "Cannot determine from 2 notes", "I don't know", "I don’t know",
    "I do not know", "I do not have that (only 55)", "unknown", "Unknown.", "**Unknown**",
    "unknown (55 was the old one)", "N/A", "n/a", "NA", "None", "null", "NaN", "undefined",
    "not available", "Not enough information", "not enough info (2 prices missing)",
    "Insufficient data", "insufficient information to compute it", "no answer", "no answer yet",
    "No.", "nothing", "TBD", "tbc", "not 55", "It is not 55", "The total is not 55",
    "I need 2 prices", "I would need 2 prices", "Please provide the 2 prices", "pending",
    "Waiting for 2 prices", "missing", "The prices are missing", "<answer>", "<number>",
    "[your answer]", "[total]", "<your answer here>", "(number)", "[insert 1 number]",
    "<answer> (2 prices missing)", "{number}", "{{answer}}", "refuse", "I refuse",
    "I decline to answer", "I won't guess", "I won’t guess 55", "impossible to say",
    "It is impossible to tell", "undetermined", "indeterminate", "unclear", "It's unclear",
    "not stated", "not specified", "not provided", "unspecified", "can't verify 55",
    "Couldn't compute", "I am unable to verify 55", "I'm unable to say", "I’m not able to say",
    "I'm not sure", "not sure", "unsure", "I have no record of 2 prices",
    "There is no way to know", "no idea", "I have no idea", "sorry, I can't",
    "Sorry, 55 is all I have", "withheld", "unanswerable", "not known", "not computable",
    "cannot compute: price missing", "I lack 2 prices", "???unknown", "je ne sais pas", "inconnu",
    "unbekannt", "weiß ich nicht", "nicht bekannt", "Keine Angabe", "keine Ahnung", "desconocido",
    "no lo sé", "No sé", "não sei", "desconhecido", "sconosciuto", "non lo so", "onbekend",
    "неизвестно", "не знаю", "нет данных", "不知道", "未知", "无法确定", "無法確定", "不明",
    "わかりません", "分かりません", "모름", "알 수 없음", "غير معروف", "لا أعرف", "bilinmiyor",
    "nie wiem", "nieznane", "không biết", "tidak tahu", "未知（之前为55）", "无法确定，之前是55",
    "неизвестно (ранее 55)", "desconocido (antes 55)", "unbekannt (vorher 55)",
    "inconnue : 55 avant",
]  # fmt: skip


@pytest.mark.parametrize("kind", READ)
def test_numbers_that_are_committed(kind: str) -> None:
    value, answers = READ[kind]
    assert wrong(answers, value) == []
    plain = [answer for answer in answers if "\n" not in answer]
    assert wrong(plain, value, "**Answer:** {}\r\n") == []


@pytest.mark.parametrize("kind", NULL)
def test_numbers_that_are_not(kind: str) -> None:
    assert wrong(NULL[kind], None) == []


def test_abstentions() -> None:
    found = numbers([f"It was 99.\nANSWER: {answer}" for answer in ABSTAINED])
    named = zip(ABSTAINED, found, strict=True)
    assert [(answer, got) for answer, got in named if got != (None, "abstained")] == []


REPLIES: dict[str, tuple[float | None, list[str]]] = {
    "markers": (46, [
        "ANSWER: 46", "answer: 46", "Answer:46", "ANSWER : 46", "**ANSWER:** 46", "**ANSWER**: 46",
        "**ANSWER: 46**", "***ANSWER:*** 46", "__Answer__: 46", "_Answer:_ 46", "### ANSWER: 46",
        "### **ANSWER:** 46", "### ANSWER: 46 ###", "- ANSWER: 46", "* ANSWER: 46",
        "> **ANSWER**: 46", "1. ANSWER: 46", "`ANSWER: 46`", "`ANSWER`: 46", "[ANSWER]: 46",
        "[ANSWER: 46]", "(ANSWER: 46)", "'ANSWER': 46", "“ANSWER”: 46", "<ANSWER>: 46",
        "<b>ANSWER:</b> 46", "Final Answer: 46", "FINAL ANSWER: 46", "The answer: 46",
        "My answer: 46", "ANSWER：46", "ANSWER: ４６", "ANSWER:\n46", "ANSWER:\r\n46",
        "ANSWER:\r\n\r\n46\r\n", "ANSWER:\n\n**46**", "ANSWER:\n```\n46\n```",
        "ANSWER:\n```text\n46\n```", "ANSWER:\n$$46$$", "ANSWER:\n$$\n46\n$$",
        "ANSWER:\n\\[\n46\n\\]", "ANSWER:\n\\[\\boxed{46}\\]", "ANSWER:\n> 46", "ANSWER:\n• 46",
        "ANSWER:\n* 46", "| ANSWER: | 46 |", "|ANSWER:|46|", "ANSWER:= 46", "ANSWER := 46",
        "ANSWER:: 46", "ANSWER: ANSWER: 46", "{\"answer\": 46}", "{\"ANSWER\": \"46\"}",
        "{\"answer\": 46, \"confidence\": 0.9}", "🎯 ANSWER: 46 ✅", "\\textbf{ANSWER: 46}",
        "\\text{ANSWER: } 46", "$\\text{ANSWER: } 46$", "\\boxed{\\text{ANSWER: } 46}",
        "ANSWER:\u00a046", "ANSWER\u200b: 46", "\u200fANSWER: 46", "ANSWER:\u200b46",
        "ANSWER:\t46", "ANSWER: 55\nANSWER: 46", "ANSWER: unable\nANSWER: 46", "x\nANSWER: 46\n",
        "x\nANSWER: 46\n\n\n", "ANSWER: 46\nThanks!", "ANSWER: 46\nNo other note names it.",
        "ANSWER: 46\nUpdate the note if prices change.", "ANSWER: 46\nSorry for the delay.",
        "ANSWER: 46\nActually paid in two parts.", "ANSWER: 46\nNo, the 55 was the old total.",
        "ANSWER: 46\nNo, thanks.",
        "ANSWER: 46\nUpdate: none", "ANSWER: 46\nActually, 46.", "ANSWER: 46\nNo, 46 is right.",
        "ANSWER: 46\nEdit: typo", "ANSWER: 46\nWait for the update.", "ANSWER: 46\nNo, Ben.",
        "ANSWER: 46\nHold on to the receipt.", "ANSWER: 46\nUpdated: 2024-05-12",
        "ANSWER: 46\nUpdate: 12 May", "ANSWER: 46\nActually, yes.", "ANSWER: 46\nNo, really.",
        "ANSWER: 46\nActually, the old price was 55.", "ANSWER: 46\nSorry, Ana.",
        "ANSWER: 46\n\nThe 55 was the old total.",
        "ANSWER: 46\n\nI hope this helps. 7", "I will reply with 'ANSWER: <value>'.\nANSWER: 46",
        "<think>ANSWER: 55</think>\nANSWER: 46", "ANSWER: 46\nANSWER: 46.0",
        "a" * 5000 + " ANSWER: 46", "ANSWER: 46" + " " * 3000 + "x",
    ]),
    "no marker, or nothing behind it": (None, [
        "46", "It is 46.", "ANSWER is 46", "ANSWER 46", "ANSWER - 46", "ANSWER = 46",
        "ANSWERS: 46", "REANSWER: 46", "| ANSWER | 46 |", "Antwort: 46", "Réponse : 46",
        "<answer>46</answer>", "ANSWER:", "ANSWER (USD): 46", "ANSWER: \n\n", "46\nANSWER:",
        "ANSWER:\n\nPlease send the 46 prices.", "ANSWER:\nThanks!\n46",
        "ANSWER:\nThe total is 46.", "ANSWER: The total is:\n46", "ANSWER: 46\nANSWER:",
        "ANSWER: 46\nANSWER: unable", "ANSWER: 46\nANSWER: <answer>", "ANSWER: ___\nI had 46.",
        "Reply with 'ANSWER: <value>'", "Use the format \"ANSWER: X\" for 46.",
        "ANSWER: `<number>`", "ANSWER: see above\n46 pens", "~~ANSWER: 46~~",
    ]),
    "taken back on a later line": (None, [
        "ANSWER: 46\nWait, that is wrong.", "ANSWER: 46\n\nWait, I should check that again.",
        "ANSWER: 46\r\nCorrection: it is 55.", "ANSWER: 46\nScratch that.",
        "ANSWER: 46\nOops, I forgot tax.", "ANSWER: 46\nNo, wait.", "ANSWER: 46\nThat is wrong.",
        "ANSWER: 46\nActually, that is wrong.", "ANSWER: **46**\n\n**Correction:** 55",
        "ANSWER: $46\nHold on, let me recheck.", "ANSWER: 46 pens\nI made a mistake.",
        "ANSWER: 46\nThis is incorrect.", "ANSWER: 46\nNo, it is 47.", "ANSWER: 46\nActually, 47.",
        "ANSWER: 46\nSorry, 47.", "ANSWER: 46\nOn second thought it's 47.", "ANSWER: 46\nEdit: 47",
        "ANSWER: 46\nUpdate: 47", "ANSWER: 46\n**Update:** $47", "ANSWER: 46\nRevised: 47",
        "ANSWER: 46\nThe above is incorrect. It is 47.", "ANSWER: 46 pens\n\nNo, it's 47",
        "ANSWER: 46\nNo, forty-seven.", "ANSWER: 46\nSorry, no.", "ANSWER: 46\nWait: 47",
        "ANSWER: 46\nNo, 46.5.", "ANSWER: 46\nEdit: 12 pens", "ANSWER: 46\nHold on, 47",
        "ANSWER: 46\nDisregard the above.", "ANSWER: 46\nIgnore that; the total is 47.",
        "ANSWER: 46\nStrike that.", "ANSWER: 46\nI misread the note; 47.",
        "ANSWER: 46\nLet me correct that: 47", "ANSWER: 46\nLet me try again.",
        "ANSWER: 46\nThat's not correct.", "ANSWER: 46\nThat can't be right.",
        "ANSWER: 46\nI take that back.", "ANSWER: 46\nI stand corrected: 47.",
        "ANSWER: 46\nWhoops, 47.", "ANSWER: 46\nMy apologies, 47.", "ANSWER: 46\nRather, 47.",
        "ANSWER: 46\nI meant 47.", "ANSWER: 46\nIt should be 47.", "ANSWER: 46\nShould be $47.",
        "ANSWER: 46\nThe correct answer is 47.", "ANSWER: 46\nThe correct total is $47.",
        "ANSWER: 46\nIt is actually 47.", "ANSWER: 46\nIn fact, it is 47.",
        "ANSWER: 46\nSorry! 47.", "ANSWER: 46\nNope. 47", "ANSWER: 46\nNo. It is 47.",
        "ANSWER: 46\nEDIT 47", "ANSWER: 46\nTypo: 47", "ANSWER: 46\nNever mind, 47.",
        "ANSWER: 46\nOn reflection, 47.", "ANSWER: 46\nUpon review, it is 47.",
    ]),
    "announced in few words": (46, [
        "ANSWER: total 46", "ANSWER: Total $46", "ANSWER: sum 46", "ANSWER: Das sind 46.",
        "ANSWER: Es sind 46 Stück", "ANSWER: Das macht 46 Euro.", "ANSWER: C’est 46",
        "ANSWER: La réponse est 46.", "ANSWER: Son 46.", "ANSWER: La respuesta es 46",
        "ANSWER: Sono 46", "ANSWER: São 46", "ANSWER: Итого 46", "ANSWER: Ответ: 46",
        "ANSWER: Réponse : 46", "ANSWER: 共46元", "ANSWER: 答案是46。", "ANSWER: 46 yrs old",
        "ANSWER: not $55; it is $46", "ANSWER: Not 55. It's 46.", "<ANSWER: 46>",
        "ANSWER: <span style='color: red'>46</span>", 'ANSWER: <div id="a"><b>46</b></div>',
    ]),
    "announced and doubted": (None, [
        "ANSWER: total 46 or 55", "ANSWER: Das sind 46 oder 55", "ANSWER: Das sind 46?",
        "ANSWER: total maybe 46", "ANSWER: not 55; 46", "ANSWER: not 55? It is 46",
        "ANSWER: Vielleicht sind es 46", "ANSWER: old total 46", "ANSWER: Total 46, maybe 55",
    ]),
    "denied, restated or corrected in any language on the next line": (None, [
        "ANSWER: 55\nNot 55.", "ANSWER: 55\n46, not 55.", "ANSWER: 55\nNot 55 but 46",
        "ANSWER: 55\nIt's 46, not 55.", "ANSWER: 55\n46, no 55", "ANSWER: $55\nNot $55.",
        "ANSWER: 55\n55 is wrong.", "ANSWER: 55\n55 was not right: 46", "ANSWER: 55\nIt isn't 55.",
        "ANSWER: 55\n46 instead of 55", "ANSWER: 55\n55 should be 46", "ANSWER: 55\n55 -> 46",
        "ANSWER: 55\n46 rather than 55",
        "ANSWER: 55\n46 is correct.", "ANSWER: 55\n46 is the answer.", "ANSWER: 1,055\nNot 1055.",
        "ANSWER: 30 + 25 = 55\nNo, 30.", "ANSWER: 55\nError: should be 46.",
        "ANSWER: 55\nFinal: 46", "ANSWER: 55\nFinal total: $46", "ANSWER: 55\nThe answer is 46.",
        "ANSWER: 55\nSo the answer is 46", "ANSWER: 55\nThe corrected total is 46.",
        "ANSWER: 55\nThe actual answer is 46.", "ANSWER: 55\nUpdated total: 46",
        "ANSWER: 55\nRevised: 46", "ANSWER: 55\nFixed: 46", "ANSWER: 55\nWrong! 46",
        "ANSWER: 55\n❌ Incorrect, 46", "ANSWER: 55\nMy bad: it's 46", "ANSWER: 55\nOr rather, 46.",
        "ANSWER: 55\nThis should have been 46", "ANSWER: 55\nLooking again, it is 46.",
        "ANSWER: 55\nNo,46", "ANSWER: 55\nno. 46.", "ANSWER: 55\nNo, at 46.",
        "ANSWER: 55\nKorrektur: 46", "ANSWER: 55\nNein, 46", "ANSWER: 55\nNein, es sind 46.",
        "ANSWER: 55\nEntschuldigung, 46", "ANSWER: 55\nDas war falsch: 46",
        "ANSWER: 55\n46, nicht 55.", "ANSWER: 55\nCorrection : 46", "ANSWER: 55\nNon, 46",
        "ANSWER: 55\nNon, c'est 46.", "ANSWER: 55\nErreur : 46", "ANSWER: 55\n46, pas 55",
        "ANSWER: 55\nCorrección: 46", "ANSWER: 55\nNo, 46", "ANSWER: 55\nNo, son 46.",
        "ANSWER: 55\nPerdón, 46", "ANSWER: 55\nCorreção: 46", "ANSWER: 55\nNão, são 46",
        "ANSWER: 55\nCorrezione: 46", "ANSWER: 55\nAnzi, 46", "ANSWER: 55\nNee, 46",
        "ANSWER: 55\nNej, 46", "ANSWER: 55\nHayır, 46", "ANSWER: 55\nНет, 46",
        "ANSWER: 55\nИсправление: 46", "ANSWER: 55\n46, а не 55", "ANSWER: 55\n更正：46",
        "ANSWER: 55\n不对，46", "ANSWER: 55\n不，46", "ANSWER: 55\n错了，应该是46",
        "ANSWER: 55\n不是55，是46", "ANSWER: 55\n訂正：46", "ANSWER: 55\nいいえ、46です",
        "ANSWER: 55\n55ではなく46", "ANSWER: 55\n정정: 46", "ANSWER: 55\n아니요, 46입니다",
        "ANSWER: 55\n**Korrektur:** **46**", "ANSWER: 55\r\n\r\nNein: 46",
    ]),
    "not taken back on a later line": (46, [
        "ANSWER: 46\nNot 55.", "ANSWER: 46\n46, not 55.", "ANSWER: 46\nFinal: 46",
        "ANSWER: 46\nFinal: $46.00", "ANSWER: 46\nThe answer is 46.", "ANSWER: 46\nNein danke",
        "ANSWER: 28 + 18 = 46\nNo, 46 is right.", "ANSWER: 46\nThe corrected total is 46.",
        "ANSWER: 46\nNot included: shipping.", "ANSWER: 46\nI did not use the old price.",
        "ANSWER: 46\nError: none", "ANSWER: 46\nError bars are 2%.", "ANSWER: 46\nTotal: 55",
        "ANSWER: 46\n55 hats were sold earlier.", "ANSWER: 46\nConfidence: 90%",
        "ANSWER: 46\nNon-taxable items are out.", "ANSWER: 46\nNo se incluyen impuestos.",
        "ANSWER: 46\nFinal note: prices may change.", "ANSWER: 46\n因此总价是46元。",
        "ANSWER: 46\n谢谢！", "ANSWER: 46\nNein, 46 stimmt.", "ANSWER: 46\n不，46是对的",
        "ANSWER: 46\nDisregarding tax.", "ANSWER: 46\nNever mind the tax.",
        "ANSWER: 46\nI meant the total.", "ANSWER: 46\nI mean dollars.",
        "ANSWER: 46\nIt should be noted that tax is in it.", "ANSWER: 46\nShould be right.",
        "ANSWER: 46\nThat should be all.", "ANSWER: 46\nThe correct total is 46.",
        "ANSWER: $46\nThe correct answer is $46.", "ANSWER: 46\nIn fact, it is 46.",
        "ANSWER: 46\nActually, it is 46.", "ANSWER: 46\nApologies for the delay.",
        "ANSWER: 46\nLet me try to explain.", "ANSWER: 46\nLet me correct the record: 46.",
        "ANSWER: 46\nIgnore tax.", "ANSWER: 46\nNo. 3 in the list.", "ANSWER: 46\nEdit the note.",
        "ANSWER: 46\nRather simple!", "ANSWER: 46\nStrike price: 12",
    ]),
}  # fmt: skip


@pytest.mark.parametrize("kind", REPLIES)
def test_whole_replies(kind: str) -> None:
    value, replies = REPLIES[kind]
    assert wrong(replies, value, "{}") == []


def test_markers_of_other_words() -> None:
    for marker, reply in [
        ("Antwort", "Antwort: 46"), ("Réponse", "RÉPONSE : 46"), ("Réponse", "Re\u0301ponse : 46"),
        ("答案", "答案：46"), ("Ответ", "**Ответ:** 46"), ("答え", "答え：46"), ("####", "#### 46"),
        ("<answer>", "<answer>46</answer>"), ("<answer>", "<answer>\n46\n</answer>"),
        ("The answer is", "So the answer is: 46"), ("\\boxed{", "So $\\boxed{46}$."),
        ("Réponse", "réponse: 46"), ("Final answer", "**Final  Answer:** 46"),
        ("إجابة", "إجابة: 46"), ("Απάντηση", "ΑΠΆΝΤΗΣΗ: 46"),
    ]:  # fmt: skip
        assert numbers([reply], marker=marker) == [(46, "read")], reply
