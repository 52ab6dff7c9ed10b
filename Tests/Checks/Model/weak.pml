/*
 * Stores as a processor like arm64's may show them to others: later than they were made, and in another order.
 * A thread has up to UNDER_WAY of them that no other sees yet.
 *
 * A plain store overtakes any but one to the same cell, or one before a fence. A release store arrives after
 * all before it. An exchange and the addition to the counter of generations are release stores that arrive at once.
 */
#ifndef UNDER_WAY
#define UNDER_WAY 3
#endif

#define RELEASE 1 /* arrives after all before it */
#define FENCED 2  /* arrives before all after it */

short value_under_way[WRITERS * UNDER_WAY];
byte cell_under_way[WRITERS * UNDER_WAY];
byte kind_under_way[WRITERS * UNDER_WAY];
byte under_way[WRITERS];
hidden byte s;

#define store(writer, index) ((writer) * UNDER_WAY + (index))

#define CAN_STORE (under_way[me] < UNDER_WAY)
#define CAN_EXCHANGE(cell) (under_way[me] == 0)
#ifdef NO_COUNTER_RELEASE
#define CAN_ADD true
#else
#define CAN_ADD (under_way[me] == 0)
#endif

inline put_kind(cell, value, kind) {
  cell_under_way[store(me, under_way[me])] = cell;
  value_under_way[store(me, under_way[me])] = value;
  kind_under_way[store(me, under_way[me])] = kind;
  under_way[me]++
}

#define put(cell, value) put_kind(cell, value, 0)
#ifdef NO_RELEASE
#define put_release(cell, value) put_kind(cell, value, 0)
#else
#define put_release(cell, value) put_kind(cell, value, RELEASE)
#endif
#define put_exchanged(cell, value) memory[cell] = value

/* A thread sees its own stores. */
inline load(cell) {
  got = memory[cell];
  s = 0;
  do
  :: s < under_way[me] ->
    if
    :: cell_under_way[store(me, s)] == (cell) -> got = value_under_way[store(me, s)]
    :: else
    fi;
    s++
  :: else -> break
  od;
  s = 0
}

inline fence_release() {
  s = 0;
#ifndef NO_FENCE
  do
  :: s < under_way[me] ->
    kind_under_way[store(me, s)] = kind_under_way[store(me, s)] | FENCED;
    s++
  :: else -> break
  od;
  s = 0;
#endif
  s = 0
}

#define overtakes(writer, index, other) \
  (cell_under_way[store(writer, index)] != cell_under_way[store(writer, other)] && \
   !(kind_under_way[store(writer, index)] & RELEASE) && \
   !(kind_under_way[store(writer, other)] & FENCED))

inline arrive(index) {
  memory[cell_under_way[store(who, index)]] = value_under_way[store(who, index)];
  s = index;
  do
  :: s + 1 < under_way[who] ->
    cell_under_way[store(who, s)] = cell_under_way[store(who, s + 1)];
    value_under_way[store(who, s)] = value_under_way[store(who, s + 1)];
    kind_under_way[store(who, s)] = kind_under_way[store(who, s + 1)];
    s++
  :: else -> break
  od;
  cell_under_way[store(who, s)] = 0;
  value_under_way[store(who, s)] = 0;
  kind_under_way[store(who, s)] = 0;
  under_way[who]--
}

/* Lets a thread's stores arrive, in any order that is allowed. */
proctype stores(byte who) {
end:
  do
  :: d_step { under_way[who] > 0 -> arrive(0) }
  :: d_step { under_way[who] > 1 && overtakes(who, 1, 0) -> arrive(1) }
  :: d_step {
      under_way[who] > 2 && overtakes(who, 2, 0) && overtakes(who, 2, 1) -> arrive(2)
    }
#if UNDER_WAY > 3
  :: d_step {
      under_way[who] > 3 && overtakes(who, 3, 0) && overtakes(who, 3, 1) && overtakes(who, 3, 2) ->
      arrive(3)
    }
#endif
  od
}

/* Nothing is under way: what a kill leaves once all has arrived. */
#if WRITERS == 1
#define DRAINED (under_way[0] == 0)
#else
#if WRITERS == 2
#define DRAINED (under_way[0] == 0 && under_way[1] == 0)
#else
#define DRAINED (under_way[0] == 0 && under_way[1] == 0 && under_way[2] == 0)
#endif
#endif
