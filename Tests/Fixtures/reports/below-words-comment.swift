// From the field:
// {
//   "event_id": "0a1b2c3d4e5f60718293a4b5c6d7e8fb",
//   "platform": "cocoa",
//   "level": "fatal",
//   "exception": {
//     "values": [
//       {
//         "type": "NSInternalInconsistencyException",
//         "value": "Modifications to the layout engine must not be performed from a background thread after it has been accessed from the main thread.",
//         "thread_id": 5,
//         "mechanism": {
//           "type": "nsexception",
//           "handled": false
//         },
//         "stacktrace": {
//           "frames": [
//             {
//               "function": "Board.refresh()",
//               "package": "Loom",
//               "in_app": true
//             },
//             {
//               "function": "-[UIView layoutIfNeeded]",
//               "package": "UIKitCore",
//               "in_app": false
//             }
//           ]
//         }
//       }
//     ]
//   },
//   "threads": {
//     "values": [
//       {
//         "id": 5,
//         "name": "org.loom.net",
//         "crashed": true
//       }
//     ]
//   }
// }
