/// The version of the package. `Tests/Checks/Lint/check-version` compares the places that repeat
/// it.
package let mainstayVersion = "0.9.0"

/// The release date of the version.
package let mainstayVersionDate = "2026-11-28"
