extension Strings {
  /// Says to a person why nothing came from the network.
  package func text(_ error: RemoteError) -> String {
    switch error {
    case .unreachable: self(.unreachable)
    case .status(let status, _): self(.status, status)
    case .malformed: self(.malformed)
    }
  }

  /// Says to a person what is wrong with the squad's file.
  package func text(_ error: PersisterError) -> String {
    switch error {
    case .damaged: self(.squadDamaged)
    case .unreadable: self(.squadUnreadable)
    case .unwritable: self(.squadUnwritable)
    }
  }

  /// Says how many comics there are besides those that are shown; nothing where there are none.
  package func others(_ count: Int) -> String {
    switch count {
    case ...0: ""
    case 1: self(.othersOne, count)
    default: self(.othersMany, count)
    }
  }
}
