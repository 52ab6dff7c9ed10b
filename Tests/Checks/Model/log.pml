/*
 * The breadcrumb log's commit protocol, as Sources/Recorder/CRecorder/log has it. docs/internals/model.md says what is
 * proved, for which bounds, and what is left out.
 *
 * Every access to memory that threads or readers share is a step of its own, and every step carries the
 * label that stands beside the code it models, as a comment "model: LABEL".
 */

/* The bounds. */
#ifndef WRITERS
#define WRITERS 2 /* threads at once */
#endif
#ifndef LIVES
#define LIVES 1 /* threads one after the other, for each of these */
#endif
#ifndef CRUMBS
#define CRUMBS 4 /* that a thread leaves before it ends */
#endif
#ifndef CHUNKS
#define CHUNKS 4
#endif
#ifndef ROOM
#define ROOM 2 /* crumbs that fill a chunk */
#endif
#ifndef POLLS
#define POLLS 2 /* of a tail */
#endif

#define OF_WRITER (LIVES * CRUMBS)
#define ALL_CRUMBS (WRITERS * OF_WRITER)
#define NOBODY 255 /* no chunk, no writer */

/* A crumb's name: which writer's, and which of its crumbs. */
#define crumb(writer, count) (1 + (writer) * OF_WRITER + (count))
#define bit(crumb) (1 << (crumb))

/* Memory that is shared: the file's words, then the process's own. */
#define GENERATION(chunk) (chunk)
#define HEADER(chunk) (CHUNKS + (chunk)) /* all of a chunk's header but its generation */
#define RECORD(chunk, place) (2 * CHUNKS + 4 * ((chunk) * ROOM + (place)))
#define FIRST(chunk, place) (RECORD(chunk, place))
#define ONE(chunk, place) (RECORD(chunk, place) + 1)
#define TWO(chunk, place) (RECORD(chunk, place) + 2)
#define SUM(chunk, place) (RECORD(chunk, place) + 3)
#define OWN (2 * CHUNKS + 4 * CHUNKS * ROOM)
#define WORD(chunk) (OWN + (chunk))
#define ENTRY_GENERATION(chunk) (OWN + CHUNKS + (chunk))
#define ENTRY_USED(chunk) (OWN + 2 * CHUNKS + (chunk))
#define GENERATIONS (OWN + 3 * CHUNKS)
#define CELLS (OWN + 3 * CHUNKS + 1)

short memory[CELLS];

#define FREE 0
#define RETIRED 2
#define PARTIAL 3
#define OWNED 32767
#define word_of(order, state) ((order) * 4 + (state))
#define state_of(word) ((word) % 4)
#define order_of(word) ((word) / 4)
#define BEING_BEGUN 255 /* MS_GENERATION_NONE */

/* A sum that two different records never share: the real one is equal once in 2^32 times. */
#define sum_of(first, one, two) ((first) * 1024 + (one) * 32 + (two))

/* What is proved is about these; no step looks at them. */
int acknowledged;                  /* crumbs whose call returned */
byte stands_in[ALL_CRUMBS + 1];    /* the generation that a crumb was written into */
byte refers_to[ALL_CRUMBS + 1];    /* 1 + the place of the template that a crumb refers to; 0: it has its own texts */
byte texts_of[ALL_CRUMBS + 1];     /* the crumb that its writer believes to be there */
byte newest[WRITERS];              /* the generation that a living writer appends to */
byte whole[WRITERS];               /* the last that it filled */

/* Scratch of single steps, no part of the state. */
hidden short got, first, one, two, sum;
hidden byte c, r, n, m;
hidden byte has_ended, is_kept;
hidden int seen_now;

/* What readers who come while the log is written have seen. */
int seen;

#define STEP(label) printf(label)

#ifdef WEAK
#include "weak.pml"
#else
/* The processor does not reorder stores (x86-64), nor does the compiler where the C says so. */
#define CAN_STORE true
#define put(cell, value) memory[cell] = value
#define put_release(cell, value) memory[cell] = value
#define put_exchanged(cell, value) memory[cell] = value
#define load(cell) got = memory[cell]
#define fence_release()
#define DRAINED true
#define CAN_EXCHANGE(cell) true
#define CAN_ADD true
#endif

#include "writer.pml"
#include "reader.pml"

init {
  byte writer = 0;
  d_step {
    memory[GENERATIONS] = 1;
    writer = 0
  }
  atomic {
    do
    :: writer < WRITERS ->
      run thread(writer);
#ifdef WEAK
      run stores(writer);
#endif
      writer++
    :: else -> break
    od;
    writer = 0;
#ifdef LIVE
    run reader()
#else
    run kill()
#endif
  }
}
