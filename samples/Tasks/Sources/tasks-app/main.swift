import Tasks

// With the fixes each does what it is for; the tests show what the bugs do.

let desk = ParcelDesk(bug: false)
async let collected: Void = desk.collect(for: "Ada")
await desk.deliver(to: "Ada")
await collected
print("the desk: Ada has her parcel")

let mirror = await Mirrors(bug: false).fastest()
print("the mirrors: \(["north", "south"].contains(mirror) ? "one" : "none") has answered")

let office = TicketOffice(tickets: 2, bug: false)
async let first = office.sell(to: "Ada")
async let second = office.sell(to: "Grace")
print("the office: sold \([await first, await second].count { $0 }), \(await office.left) left")

let board = DepartureBoard(bug: false)
await board.open()
await board.close()
print("the board: closed, \(await board.rows.count) rows")
