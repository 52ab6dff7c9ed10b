internal import CRuntime

/// A stack as one field: functions where the loader knows them, else `module+offset`, newest first.
func stackField(_ stack: [UInt]) -> String {
  stack.map(frameName).joined(separator: ",")
}

private func frameName(_ address: UInt) -> String {
  // A return address may be the first of the next function: the call is the byte before it.
  let code = ms_code_at(address &- 1)
  if let function = code.function { return String(cString: function) }
  guard let path = code.module else { return "0x" + String(address, radix: 16) }
  let module = String(cString: path).split(separator: "/").last ?? "?"
  return "\(module)+0x" + String(address - code.base, radix: 16)
}
