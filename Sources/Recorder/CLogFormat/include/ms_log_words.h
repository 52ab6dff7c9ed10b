// The texts and keys of the library's own crumbs, and the name of a folder, shared by the recorder and the reader.
// Swift imports each as a constant `String`.
#ifndef MAINSTAY_LOG_WORDS_H
#define MAINSTAY_LOG_WORDS_H

// Lifecycle steps: messages.
#define MS_WORD_PROCESS_STARTED "process started"
#define MS_WORD_DID_LAUNCH "did launch"
#define MS_WORD_DID_BECOME_ACTIVE "did become active"
#define MS_WORD_WILL_RESIGN_ACTIVE "will resign active"
#define MS_WORD_DID_ENTER_BACKGROUND "did enter background"
#define MS_WORD_WILL_ENTER_FOREGROUND "will enter foreground"
#define MS_WORD_DID_RECEIVE_MEMORY_WARNING "did receive memory warning"
#define MS_WORD_WILL_TERMINATE "will terminate"
#define MS_WORD_PROCESS_EXITED "process exited"

// Background tasks: values of MS_KEY_STEP.
#define MS_WORD_BEGIN "begin"
#define MS_WORD_EXPIRED "expired"
#define MS_WORD_END "end"

// Hops and accesses: messages, then categories.
#define MS_WORD_ARRIVAL "arrival"
#define MS_WORD_RUN "run"
#define MS_WORD_DROP "drop"
#define MS_WORD_HOP "hop"
#define MS_WORD_ACCESS "access"

// Hangs: messages, then the kinds of executor, which are the categories, then values of MS_KEY_DOING.
#define MS_WORD_DOES_NOT_ANSWER "does not answer"
#define MS_WORD_ANSWERS_AGAIN "answers again"
#define MS_WORD_HOLDS_IT_TOO "holds it too"
#define MS_WORD_HOLDS_ITS_LOCK "holds its lock"
#define MS_WORD_WATCHED_NO_MORE "is watched no more"
#define MS_WORD_MAIN_QUEUE "main queue"
#define MS_WORD_POOL "pool"
#define MS_WORD_QUEUE "queue"
#define MS_WORD_ACTOR "actor"
#define MS_WORD_LOOP "loop"
#define MS_WORD_BLOCKED "blocked"
#define MS_WORD_BUSY "busy"
#define MS_WORD_STARVED "starved"

// Response times of one minute: messages, then the category.
#define MS_WORD_ANSWERS "answers"
#define MS_WORD_ANSWERS_LATE "answers late"
#define MS_WORD_LATENCY "latency"

// Waiting tasks: messages, the category, then values of MS_KEY_DURING.
#define MS_WORD_TASKS_WAIT "tasks wait"
#define MS_WORD_WAITS "waits here"
#define MS_WORD_WAITING "waiting"
#define MS_WORD_DURING_HANG "hang"
#define MS_WORD_DURING_SHUTDOWN "shutdown"
#define MS_WORD_DURING_LOSS "loss"

// Requests to a server and services of a group: messages, then categories.
#define MS_WORD_REQUEST_BEGINS "request begins"
#define MS_WORD_REQUEST_ENDS "request ends"
#define MS_WORD_SERVICE_BEGINS "service begins"
#define MS_WORD_SERVICE_IS_ASKED_TO_END "service is asked to end"
#define MS_WORD_SERVICE_IS_CANCELLED "service is cancelled"
#define MS_WORD_SERVICE_ENDS "service ends"
#define MS_WORD_REQUEST "request"
#define MS_WORD_SERVICE "service"

// Other categories: blocking calls, toolkit calls off their thread, and advice on how to reach that thread.
#define MS_WORD_BLOCKING "blocking"
#define MS_WORD_TOOLKIT "toolkit"
#define MS_WORD_TOOLKIT_FIX "toolkit fix"

// Keys of several kinds of crumbs.
#define MS_KEY_NAME "name"
#define MS_KEY_TYPE "type"                  // the type of a service, or of an object of a toolkit
#define MS_KEY_SITE "at"                    // file and line
#define MS_KEY_FUNCTION "in"
#define MS_KEY_NANOSECONDS "nanoseconds"    // duration of a hop, UI work, a call or a request
#define MS_KEY_MILLISECONDS "milliseconds"  // duration of a hang
#define MS_KEY_THREAD "thread"              // the thread that holds the executor
#define MS_KEY_THREAD_NAME "threadName"
#define MS_KEY_WAITER "waiter"              // the thread that waits for a lock
#define MS_KEY_TASK "task"                  // number of a background task or of a Swift task
#define MS_KEY_MISSED "missed"              // hangs skipped before this one
#define MS_KEY_EXECUTOR "executor"          // the kind of executor whose thread was blocked, or for whose turn tasks wait
#define MS_KEY_OCCURRENCE "occurrence"      // the number of violations at this call site so far

// Violations.
#define MS_KEY_EXPECTED "expected"
#define MS_KEY_CERTAIN "certain"
#define MS_KEY_UI "ui"
#define MS_KEY_TASK_NAME "taskName"
#define MS_KEY_ORIGIN "origin"              // `enqueued at App/Feed.swift:12 on queue net (thread 41)`
#define MS_KEY_ORIGIN_STACK "originStack"   // hexadecimal return addresses, innermost first, of the preceding origin
#define MS_KEY_WRITE "write"                // true if a watched access was a write

// Hops and background tasks.
#define MS_KEY_OBJECTS "objects"            // 32 bits each of the addresses of the hop and its target
#define MS_KEY_STEP "step"

// Waiting tasks.
#define MS_KEY_TASKS "tasks"
#define MS_KEY_PLACES "places"
#define MS_KEY_UNREAD "unread"              // bytes of memory that were not searched in time
#define MS_KEY_DURING "during"
#define MS_KEY_FOR "for"                    // `continuation`, `task`, `group`, `turn`
#define MS_KEY_CANCELLED "cancelled"  // true if the task of a thread is cancelled

// Hangs and answer times.
#define MS_KEY_DOING "doing"
#define MS_KEY_QUEUE "queue"
#define MS_KEY_THREADS "threads"            // the number of threads that hold the executor
#define MS_KEY_PRESSURE "pressure"          // percent of the last ten seconds in which a thread waited for a CPU
#define MS_KEY_BEATS "beats"
#define MS_KEY_MEDIAN "median"              // microseconds
#define MS_KEY_NEARLY_ALL "p99"
#define MS_KEY_SLOWEST "slowest"

// Toolkit calls. A script frame is `app.py:12 work`, innermost first.
#define MS_KEY_TOOLKIT "toolkit"
#define MS_KEY_CALLS "calls"
#define MS_KEY_OWNER "owner"
#define MS_KEY_OWNER_NAME "ownerName"
#define MS_KEY_SCRIPT "script"
#define MS_KEY_STARTED_BY "startedBy"
#define MS_KEY_STARTED_STACK "startedStack"
#define MS_KEY_STARTED_SCRIPT "startedScript"
#define MS_KEY_QUEUED_BY "queuedBy"
#define MS_KEY_QUEUED_STACK "queuedStack"

// The process, requests and services.
#define MS_KEY_SIGNAL "signal"
#define MS_KEY_SENDER "sender"
#define MS_KEY_STATUS "status"
#define MS_KEY_REQUEST "request"            // method and route, never the path
#define MS_KEY_REQUEST_ID "requestID"
#define MS_KEY_SERVICE "service"

// The folder of the copies of a program beside a log: the name of the program, and this suffix.
#define MS_BUILDS_SUFFIX ".builds"

#endif
