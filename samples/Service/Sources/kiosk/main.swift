import KioskService

// kiosk [PORT]
try await Kiosk.serve(at: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0)
