extension HeroDetail {
  /// Carries the detail's effects out.
  package static func perform(with data: DataProvider) -> Store<HeroDetail>.Perform {
    { effect, answer in
      let squadChanged: SquadProvider.Answer = { outcome in
        switch outcome {
        case .success(let squad): answer(.squadArrived(squad))
        case .failure(let error): answer(.squadFailed(error))
        }
      }
      switch effect {
      case .loadAppearances(let hero):
        return data.appearances.provide(hero) { outcome in
          switch outcome {
          case .success(let appearances): answer(.arrived(appearances))
          case .failure(let error): answer(.failed(error))
          }
        }
      case .loadSquad: data.squad.load(squadChanged)
      case .hire(let hero): data.squad.hire(hero, squadChanged)
      case .fire(let id): data.squad.fire(id, squadChanged)
      }
      return nil
    }
  }
}
