// with: samples/Sources/loopback-session/URLSessionDataDelegateHop.swift
import Foundation
import FoundationNetworking
import ThreadAffinity

@MainActor let page = Page()
@MainActor let hop = MainHop(page as any URLSessionDataDelegate)

@MainActor final class Page: NSObject, @preconcurrency URLSessionDataDelegate {}

/// In a shim, a nested type.
struct HopArgument<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
