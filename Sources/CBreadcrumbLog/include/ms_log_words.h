// The words of crumbs that C code leaves. Swift code has the same in LogWords; a test compares them.
#ifndef MAINSTAY_LOG_WORDS_H
#define MAINSTAY_LOG_WORDS_H

#define MS_WORD_DID_ENTER_BACKGROUND "did enter background"
#define MS_WORD_WILL_ENTER_FOREGROUND "will enter foreground"
#define MS_WORD_DID_RECEIVE_MEMORY_WARNING "did receive memory warning"
#define MS_WORD_WILL_TERMINATE "will terminate"
#define MS_WORD_PROCESS_EXITED "process exited"
#define MS_WORD_DOES_NOT_ANSWER "does not answer"
#define MS_WORD_ANSWERS_AGAIN "answers again"
#define MS_WORD_WAITING "waiting"
#define MS_WORD_TASKS_WAIT "tasks wait"
#define MS_WORD_WAITS "waits here"
#define MS_WORD_WAITS_AGAIN "waits here again"
#define MS_WORD_DURING_HANG "hang"
#define MS_WORD_DURING_SHUTDOWN "shutdown"

#define MS_KEY_NANOSECONDS "nanoseconds"
#define MS_KEY_SIGNAL "signal"
#define MS_KEY_SENDER "sender"
#define MS_KEY_MILLISECONDS "milliseconds"
#define MS_KEY_STATUS "status"
#define MS_KEY_THREAD "thread"
#define MS_KEY_THREAD_NAME "threadName"
#define MS_KEY_TASK "task"
#define MS_KEY_TASKS "tasks"
#define MS_KEY_PLACES "places"
#define MS_KEY_MISSED "missed"
#define MS_KEY_NEWEST "newest"
#define MS_KEY_DURING "during"
#define MS_KEY_FOR "for"
#define MS_KEY_TYPE "type"

#endif
