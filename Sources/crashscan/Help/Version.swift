/// The version of crashscan, as `--version` prints it.
let crashscanVersion = "0.1.0"
