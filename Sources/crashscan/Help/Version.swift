/// The version of crashscan, as `--version` prints it.
let crashscanVersion = "0.1.0"

/// The day of that version, for the man page.
let crashscanDate = "2026-11-20"
