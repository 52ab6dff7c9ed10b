import Dispatch

let databaseQueue = DispatchQueue(label: "com.example.database")
