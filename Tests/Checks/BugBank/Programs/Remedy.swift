import Glibc

/// Whether the programs are as their fixes left them; with `MAINSTAY_BUG=1` each has its bug.
///
/// Asked in the midst of calls that are stopped inside: a dictionary of the whole environment would be most of what they do.
package let isFixed = getenv("MAINSTAY_BUG").map { String(cString: $0) } != "1"
