import CStackWalk
import CWalkCheck
import CWalkSubjects
import Foundation
import WalkSubjects

ms_walk_start()
print("engine: \(String(cString: ms_walk_engine_reason()))")
let results = [
  ms_walk_engine_in_use() == MS_WALK_RULES,
  ms_check_rows(),
]
exit(results.allSatisfy { $0 } ? 0 : 1)
