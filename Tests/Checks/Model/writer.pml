/* Threads that record: Sources/Recorder/CRecorder/log/chunks.c, append.c. */

/* find_room: the first chunk that a new thread can go on with. */
inline find_room() {
  i = 0;
  do
  :: i < CHUNKS ->
    d_step {
      STEP("find-room\n");
      load(ENTRY_USED(i));
      used = got;
      load(WORD(i));
      word = got;
      if
      :: word != OWNED && state_of(word) == PARTIAL && used < ROOM ->
        next = i;
        goes_on = true;
        i = CHUNKS
      :: else -> i++
      fi;
      used = 0
    }
  :: else -> break
  od
}

/* find_oldest: the smallest word, looked for one chunk after the other. */
inline find_oldest() {
  d_step {
    STEP("look-from\n");
    load(GENERATIONS);
    look_from = got;
    word = OWNED;
    i = 0
  }
  do
  :: i < CHUNKS ->
    d_step {
      STEP("find-oldest\n");
      load(WORD(i));
      if
      :: got < word ->
        word = got;
        next = i;
        i = (got == FREE -> CHUNKS : i + 1)
      :: else -> i++
      fi
    }
  :: else -> break
  od
}

/* give_up: what the chunk still holds is given up in the file before the chunk is taken. */
inline give_up() {
  i = 0;
#ifndef NO_GIVE_UP
  d_step {
    STEP("give-up-generation\n");
    load(ENTRY_GENERATION(next));
    expected = got
  }
  d_step {
    STEP("give-up-word\n");
    load(WORD(next));
    i = (got == word -> 1 : 0)
  }
  if
  :: i == 1 ->
    d_step {
      CAN_EXCHANGE(GENERATION(next)) -> STEP("give-up-exchange\n");
      load(GENERATION(next));
      if
#ifdef NO_COMPARE
      :: true -> put_exchanged(GENERATION(next), BEING_BEGUN)
#else
      :: got == expected -> put_exchanged(GENERATION(next), BEING_BEGUN)
      :: else
#endif
      fi
    }
  :: else
  fi;
  d_step { expected = 0; i = 0 }
#endif
}

/* take: sets `next`, NOBODY if all chunks are owned, and `goes_on`. */
inline take() {
  look_from = 0;
again:
  next = NOBODY;
  goes_on = false;
  word = 0;
  if
  :: current == NOBODY -> find_room()
  :: else
  fi;
  if
  :: !goes_on ->
    find_oldest();
    if
    :: next == NOBODY -> goto taken
#ifndef NO_LOOK_FROM
    :: next != NOBODY && word != FREE && order_of(word) >= look_from -> goto again
#endif
    :: else
    fi;
    look_from = 0;
    if
    :: word == FREE
    :: else ->
#ifndef NO_STOP_ADOPTION
      if
      :: state_of(word) == PARTIAL ->
        d_step {
          CAN_EXCHANGE(WORD(next)) -> STEP("stop-adoption\n");
          load(WORD(next));
          if
          :: got == word ->
            word = word_of(order_of(word), RETIRED);
            put_exchanged(WORD(next), word)
          :: else -> word = OWNED
          fi
        }
      :: else
      fi;
      if
      :: word == OWNED -> goto again
      :: else
      fi;
#endif
      give_up()
    fi
  :: else
  fi;
  d_step {
    CAN_EXCHANGE(WORD(next)) -> STEP("claim-chunk\n");
    load(WORD(next));
    if
    :: got == word -> put_exchanged(WORD(next), OWNED)
    :: else -> word = OWNED
    fi
  }
  if
  :: word == OWNED -> goto again
  :: else
  fi;
taken:
  word = 0;
  look_from = 0;
  i = 0
}

inline take_generation() {
  CAN_ADD -> STEP("take-generation\n");
  order = memory[GENERATIONS];
  memory[GENERATIONS] = order + 1
}

inline let_go(chunk, state) {
  d_step {
    CAN_STORE -> STEP("let-go\n");
    put_release(WORD(chunk), word_of(order, state))
  }
}

inline store_progress() {
  d_step {
    CAN_STORE -> STEP("store-used\n");
    put(ENTRY_USED(current), used)
  }
  d_step {
    CAN_STORE -> STEP("store-generation\n");
    put_release(ENTRY_GENERATION(current), newest[me])
  }
}

/* ms_chunk_begin: until its generation is stored, the last, a chunk counts as given up. */
inline begin_chunk() {
#ifndef NO_BEGIN_NONE
  d_step {
    CAN_STORE -> STEP("begin-chunk-none\n");
    put(GENERATION(next), BEING_BEGUN);
    fence_release()
  }
#endif
#ifdef GENERATION_FIRST
  d_step { CAN_STORE -> STEP("begin-chunk-generation\n"); put_release(GENERATION(next), order) }
#endif
  d_step { CAN_STORE -> STEP("begin-chunk-header\n"); put(HEADER(next), order) }
#ifndef GENERATION_FIRST
  d_step { CAN_STORE -> STEP("begin-chunk-generation\n"); put_release(GENERATION(next), order) }
#endif
  d_step { newest[me] = order; used = 0 }
}

/* use: the writer appends to chunk `next` from here on. */
inline use() {
  if
  :: goes_on ->
    d_step {
      STEP("go-on\n");
      load(ENTRY_GENERATION(next));
      newest[me] = got;
      load(ENTRY_USED(next));
      used = got
    }
  :: else -> begin_chunk()
  fi;
  d_step { current = next; next = NOBODY; order = 0; goes_on = false }
}

/* ms_chunk_switch: sets `has_room`. */
inline switch_chunk() {
  take();
  d_step { take_generation(); whole[me] = newest[me] }
  if
  :: next == NOBODY && previous == NOBODY ->
    d_step { STEP("drop\n"); order = 0; has_room = false }
  :: else ->
    has_room = true;
#ifdef NO_SECOND_CHUNK
    if
    :: next == NOBODY -> assert(false)
    :: current != NOBODY -> store_progress(); let_go(current, RETIRED)
    :: else
    fi;
#else
    if
    :: next == NOBODY -> d_step { STEP("recycle-own\n"); next = previous }
    :: next != NOBODY && previous != NOBODY -> let_go(previous, RETIRED)
    :: else
    fi;
    if
    :: current != NOBODY -> store_progress()
    :: else
    fi;
    previous = current;
#endif
    use()
  fi
}

/*
 * write_crumb, ms_append_brief, ms_record_commit: the sum makes it whole. The first crumb of a writer in a chunk stands
 * for a template, to which the writer's other crumbs in this chunk refer.
 */
#ifdef STALE_TEMPLATE
#define TEXTS_ARE_HERE (texts != 0)
#else
#define TEXTS_ARE_HERE (texts != 0 && texts_in == newest[me])
#endif
inline write_crumb(name) {
  d_step {
    CAN_STORE -> STEP("record-first\n");
    put(FIRST(current, used), newest[me]);
    stands_in[name] = newest[me];
    refers_to[name] = (TEXTS_ARE_HERE -> texts : 0);
    texts_of[name] = texts_name
  }
  d_step { CAN_STORE -> STEP("record-payload\n"); put(ONE(current, used), name) }
#ifndef SUM_BEFORE_PAYLOAD
  d_step { CAN_STORE -> STEP("record-payload\n"); put(TWO(current, used), name) }
#endif
  d_step {
    CAN_STORE -> STEP("record-sum\n");
    load(TWO(current, used));
    put_release(SUM(current, used), sum_of(newest[me], name, got))
  }
#ifdef SUM_BEFORE_PAYLOAD
  d_step { CAN_STORE -> STEP("record-payload\n"); put(TWO(current, used), name) }
#endif
  d_step {
    STEP("record-done\n");
    used++;
    acknowledged = acknowledged | bit(name);
    if
    :: !TEXTS_ARE_HERE ->
      texts = used;
      texts_in = newest[me];
      texts_name = name
    :: else
    fi
  }
}

/* ms_chunks_let_go: both chunks, the older first. */
inline end_thread() {
  d_step { STEP("end-thread\n"); whole[me] = 0; has_room = false }
  if
  :: previous != NOBODY ->
    d_step { take_generation() }
    let_go(previous, RETIRED);
    previous = NOBODY
  :: else
  fi;
  if
  :: current != NOBODY ->
    store_progress();
    d_step { take_generation() }
    d_step { newest[me] = 0 }
    let_go(current, PARTIAL);
    d_step { current = NOBODY; used = 0; order = 0 }
  :: else
  fi
}

proctype thread(byte me) {
  byte current = NOBODY, previous = NOBODY, used; /* the writer */
  byte count; /* its crumbs */
  byte texts, texts_in, texts_name; /* 1 + the place of its template, the generation of that chunk, the template */
  bool has_room, goes_on;
  byte next = NOBODY, order, look_from, expected, i;
  short word;

  do
  :: count < OF_WRITER ->
    if
    :: current == NOBODY || used == ROOM -> switch_chunk()
    :: else
    fi;
    if
    :: has_room -> write_crumb(crumb(me, count))
    :: else
    fi;
    count++;
    if
    :: count % CRUMBS == 0 -> end_thread()
    :: else
    fi
  :: else -> break
  od
}
