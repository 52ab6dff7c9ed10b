import BenchmarkHarness
import CPeers
import Foundation

// What a crumb costs, beside what else a service could do in its place. Everything is written to
// the current directory, so to one file system.

let rounds = ProcessInfo.processInfo.environment["BENCH_ROUNDS"].flatMap(Int.init) ?? 11
let peers = try PeerSet(in: "\(FileManager.default.currentDirectoryPath)/crumbs", threads: 4)
try compareThreads(peers.floor, rounds: rounds)
try peers.remove()
