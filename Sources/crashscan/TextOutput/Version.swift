/// The version of everything that this package builds. `Tests/Checks/Lint/check-version` compares the places that repeat it.
package let mainstayVersion = "0.9.0"

/// The day of that version.
package let mainstayVersionDate = "2026-11-28"
