/// Sells the tickets there are, and asks a bank before it does.
///
/// The bug: how many are left is read before the bank is asked, and written after. An actor lets others in
/// while it waits, so what they have sold is lost.
public actor TicketOffice {
  private let bank = Bank()
  private let reservesFirst: Bool
  /// How many tickets are left.
  public private(set) var left: Int
  /// How many have been sold.
  public private(set) var sold = 0

  /// Creates an office with so many tickets, with the bug or with the fix.
  public init(tickets: Int, bug: Bool) {
    left = tickets
    reservesFirst = !bug
  }

  /// Sells a ticket; false where none is left, or the buyer cannot pay.
  public func sell(to buyer: String) async -> Bool {
    guard left > 0 else { return false }
    return reservesFirst ? await sellReserved(to: buyer) : await sellCarelessly(to: buyer)
  }

  private func sellReserved(to buyer: String) async -> Bool {
    left -= 1
    guard await bank.charges(buyer) else {
      left += 1
      return false
    }
    sold += 1
    return true
  }

  private func sellCarelessly(to buyer: String) async -> Bool {
    let before = left
    guard await bank.charges(buyer) else { return false }
    left = before - 1
    sold += 1
    return true
  }
}

/// Charges everybody, and remembers whom.
actor Bank {
  private var charged: [String] = []

  func charges(_ buyer: String) -> Bool {
    charged.append(buyer)
    return true
  }
}
