/// Decides where data comes from: from the API, and from what was persisted where the API fails.
package struct DataProvider: Sendable {
  private let api: HeroAPI
  private let persister: Persister

  package init(api: HeroAPI, persister: Persister) {
    self.api = api
    self.persister = persister
  }

  /// The pages of the list of heroes, by how many heroes come before them.
  package var heroes: Provider<Int, HeroPage> {
    preferringTheAPI(api.heroes) { "heroes-\($0)" }
  }

  /// The last comics of a hero, by the hero's id.
  package var appearances: Provider<Superhero.ID, Appearances> {
    preferringTheAPI(api.appearances) { "appearances-\($0)" }
  }

  /// The squad, which is nowhere but on file.
  package var squad: SquadProvider {
    let persister = persister
    return SquadProvider(
      load: { answer in
        persister.load([Superhero].self, named: "squad") { outcome in
          // A damaged squad was put aside: one begins anew.
          answer(
            outcome.flatMapError { $0 == .damaged ? .success(nil) : .failure($0) }.map { $0 ?? [] })
        }
      },
      hire: { hero, answer in
        persister.update(named: "squad", default: [Superhero](), answer: answer) { squad in
          if !squad.contains(where: { $0.id == hero.id }) { squad.append(hero) }
        }
      },
      fire: { id, answer in
        persister.update(named: "squad", default: [Superhero](), answer: answer) { squad in
          squad.removeAll { $0.id == id }
        }
      })
  }

  /// Asks the API first, for what is persisted may be out of date, and keeps what it says.
  private func preferringTheAPI<Query: Sendable, Value: Codable & Sendable>(
    _ ask: @escaping @Sendable (Query, @escaping HeroAPI.Answer<Value>) -> any Cancellable,
    named name: @escaping @Sendable (Query) -> String
  ) -> Provider<Query, Value> {
    let persister = persister
    return Provider { query, answer in
      let flag = CancelFlag()
      let call = ask(query) { outcome in
        switch outcome {
        case .success(let value):
          persister.save(value, named: name(query))
          answer(.success(.fresh(value)))
        case .failure(let error):
          persister.load(Value.self, named: name(query)) { persisted in
            if flag.isCancelled { return }
            if case .success(let value?) = persisted {
              answer(.success(.persisted(value, error)))
            } else {
              answer(.failure(error))
            }
          }
        }
      }
      return Both(call, flag)
    }
  }
}

/// Two pieces of work, cancelled together.
private struct Both: Cancellable {
  private let first: any Cancellable
  private let second: any Cancellable

  init(_ first: any Cancellable, _ second: any Cancellable) {
    self.first = first
    self.second = second
  }

  func cancel() {
    first.cancel()
    second.cancel()
  }
}
