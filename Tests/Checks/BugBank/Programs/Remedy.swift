import Foundation

/// Whether the programs are as their fixes left them; with `MAINSTAY_BUG=1` each has its bug.
package let isFixed = ProcessInfo.processInfo.environment["MAINSTAY_BUG"] != "1"
