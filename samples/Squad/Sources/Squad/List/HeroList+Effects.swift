extension HeroList {
  /// Carries the list's effects out.
  ///
  /// - Parameter open: Shows a hero's detail.
  package static func perform(
    with data: DataProvider, open: @escaping @Sendable (Superhero) -> Void
  ) -> Store<HeroList>.Perform {
    { effect, answer in
      switch effect {
      case .loadPage(let offset):
        return data.heroes.provide(offset) { outcome in
          switch outcome {
          case .success(let page): answer(.arrived(offset: offset, page))
          case .failure(let error): answer(.failed(offset: offset, error))
          }
        }
      case .loadSquad:
        data.squad.load { outcome in
          switch outcome {
          case .success(let squad): answer(.squadArrived(squad))
          case .failure(let error): answer(.squadFailed(error))
          }
        }
      case .open(let hero): open(hero)
      }
      return nil
    }
  }
}
