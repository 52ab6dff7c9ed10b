/* Those who read: Sources/Inputs/LogReading (LogReader, ChunkScanner, LogTail, TailChunk), ms_log_read.h. */

/* What the properties are called where one does not hold. */
hidden byte nothing_torn_is_read_as_whole;
hidden byte nothing_is_read_twice;
hidden byte the_newest_are_kept;
hidden byte only_whole_chunks_are_lost;
hidden byte the_oldest_are_lost_first;
hidden byte no_damage_is_told;
hidden byte texts_are_read_with_their_crumbs;

#define is_whole(tag) (first == (tag) && sum == sum_of(tag, one, two))

/* What a whole record must be: as it was written, where it was written, and not seen before. */
inline believe(generation, seen) {
  nothing_torn_is_read_as_whole =
    (one == two && one >= 1 && one <= ALL_CRUMBS && stands_in[one] == generation);
  assert(nothing_torn_is_read_as_whole);
  nothing_is_read_twice = ((seen & bit(one)) == 0);
  assert(nothing_is_read_twice);
  seen = seen | bit(one)
}

/* The template of a whole record of chunk `chunk` is whole, and the one that the writer meant. */
inline expect_texts(chunk, generation) {
  n = one;
  if
  :: refers_to[n] != 0 ->
    load_record(chunk, refers_to[n] - 1);
    texts_are_read_with_their_crumbs = (is_whole(generation) && one == texts_of[n]);
    assert(texts_are_read_with_their_crumbs)
  :: else
  fi;
  n = 0
}

/* Some bytes of a chunk are not whole: unfinished, or not written yet; damage would be neither. */
inline expect_no_damage(generation) {
  no_damage_is_told = (first == (generation) || sum != sum_of(generation, one, two));
  assert(no_damage_is_told)
}

inline load_record(chunk, place) {
  first = memory[FIRST(chunk, place)];
  one = memory[ONE(chunk, place)];
  two = memory[TWO(chunk, place)];
  sum = memory[SUM(chunk, place)]
}

/* A reader who comes after the kill reads all that it left. */
inline read_all() {
  seen_now = 0;
  c = 0;
  do
  :: c < CHUNKS ->
    if
    :: memory[GENERATION(c)] == BEING_BEGUN || memory[HEADER(c)] == 0
    :: else ->
      no_damage_is_told = (memory[GENERATION(c)] == memory[HEADER(c)]);
      assert(no_damage_is_told);
      r = 0;
      has_ended = false;
      do
      :: r < ROOM ->
        load_record(c, r);
        if
        :: is_whole(memory[GENERATION(c)]) ->
          no_damage_is_told = !has_ended;
          assert(no_damage_is_told);
          believe(memory[GENERATION(c)], seen_now);
          expect_texts(c, memory[GENERATION(c)])
        :: else ->
          if
          :: !has_ended -> expect_no_damage(memory[GENERATION(c)])
          :: else
          fi;
          has_ended = true
        fi;
        r++
      :: else -> break
      od
    fi;
    c++
  :: else -> break
  od
}

/* What is not there although its call had returned. */
inline judge_lost() {
  n = 1;
  do
  :: n <= ALL_CRUMBS ->
    if
    :: (acknowledged & bit(n)) && !(seen_now & bit(n)) ->
      m = 0;
      do
      :: m < WRITERS ->
        the_newest_are_kept = (stands_in[n] != newest[m] && stands_in[n] != whole[m]);
        assert(the_newest_are_kept);
        m++
      :: else -> break
      od;
      m = 1;
      do
      :: m <= ALL_CRUMBS ->
        only_whole_chunks_are_lost = !((seen_now & bit(m)) && stands_in[m] == stands_in[n]);
        assert(only_whole_chunks_are_lost);
        the_oldest_are_lost_first =
          !((seen_now & bit(m)) && m < n && (m - 1) / CRUMBS == (n - 1) / CRUMBS);
        assert(the_oldest_are_lost_first);
        m++
      :: else -> break
      od
    :: else
    fi;
    n++
  :: else -> break
  od
}

/* The kill: at any step everything stops, and a reader comes. As nothing goes on, one step is enough. */
proctype kill() {
  do
  :: d_step { DRAINED -> read_all(); judge_lost(); c = 0 }
  od
}

#ifdef LIVE

/*
 * Readers while the log is written. They copy word by word. A crumb stands in one place only, and chunks are
 * read one after the other, each by itself: so it is enough to read one, whichever.
 */

inline choose_chunk() {
  do
  :: chunk + 1 < CHUNKS -> chunk++
  :: break
  od
}

inline read_begins() {
  d_step {
    asked = 0;
    n = 1;
    do
    :: n <= ALL_CRUMBS ->
      asked = (DRAINED && stands_in[n] == memory[GENERATION(chunk)] -> asked | (acknowledged & bit(n)) : asked);
      n++
    :: else -> break
    od;
    n = 0
  }
}

inline read_header(tag, rest) {
  d_step { STEP("read-header\n"); tag = memory[GENERATION(chunk)] }
  d_step { STEP("read-header\n"); rest = memory[HEADER(chunk)] }
}

inline read_header_again(tag, rest) {
  d_step { STEP("read-header-again\n"); tag = memory[GENERATION(chunk)] }
  d_step { STEP("read-header-again\n"); rest = memory[HEADER(chunk)] }
}

#define is_empty(tag, rest) ((tag) == BEING_BEGUN || (rest) == 0)

/*
 * Copies the records from place `from` to before place `until`, word by word, and keeps of each what a scan
 * of the copy will find: NOT_WHOLE, NOBODYS, or whose it is.
 */
#define NOT_WHOLE 0
#define NOBODYS 255

inline copy_word(word) {
  d_step { STEP("copy-records\n"); word = memory[RECORD(chunk, i / 4) + i % 4]; i++ }
}

inline copy_records(from, until) {
  i = 4 * (from);
  do
  :: i < 4 * (until) ->
    copied[i / 4] = NOT_WHOLE;
    copy_word(word_first);
    if
    :: word_first != generation -> i = i + 3
    :: else ->
      copy_word(word_one);
      copy_word(word_two);
      copy_word(word_sum);
      if
      :: word_sum != sum_of(generation, word_one, word_two)
      :: else ->
        copied[i / 4 - 1] =
          (word_one == word_two && stands_in[word_one] == generation -> word_one : NOBODYS)
      fi;
    fi;
    word_first = 0; word_one = 0; word_two = 0; word_sum = 0
  :: else -> break
  od;
  i = 0
}

inline forget_copy() {
  r = 0;
  do
  :: r < ROOM -> copied[r] = NOT_WHOLE; r++
  :: else -> break
  od
}

inline believe_copied(name) {
  nothing_torn_is_read_as_whole = (name != NOBODYS);
  assert(nothing_torn_is_read_as_whole);
  nothing_is_read_twice = ((seen & bit(name)) == 0);
  assert(nothing_is_read_twice);
  seen = seen | bit(name)
}

/* What had been acknowledged before and is not seen must have been recycled. */
inline judge_missed() {
  n = 1;
  do
  :: n <= ALL_CRUMBS ->
    only_whole_chunks_are_lost =
      !((asked & bit(n)) && !(seen & bit(n)) && stands_in[n] == memory[GENERATION(chunk)]);
    assert(only_whole_chunks_are_lost);
    n++
  :: else -> break
  od
}

#ifndef TAIL

/* Up to where there must be whole records only: the last is no older than what is not whole before it. */
inline find_gap() {
  r = 0;
  gap = 0;
  has_ended = false;
  do
  :: r < ROOM ->
    if
    :: copied[r] != NOT_WHOLE -> gap = (has_ended -> r + 1 : gap)
    :: else -> has_ended = true
    fi;
    r++
  :: else -> break
  od
}

/* ChunkScanner.scan: all whole records; what is not whole, and lies before one of them, is damage. */
inline scan_records() {
  r = 0;
  has_ended = false;
  do
  :: r < ROOM ->
    if
    :: copied[r] != NOT_WHOLE ->
      no_damage_is_told = !has_ended;
      assert(no_damage_is_told);
      believe_copied(copied[r])
    :: else -> has_ended = true
    fi;
    r++
  :: else -> break
  od
}

/* LogReader.loadChunk: a chunk as it was at one moment. */
proctype reader() {
  byte chunk, generation, rest, i, gap;
  int asked;
  byte copied[ROOM];
  short word_first, word_one, word_two, word_sum;

  choose_chunk();
  read_begins();
  read_header(generation, rest);
  if
  :: is_empty(generation, rest) || generation != rest
  :: else ->
    copy_records(0, ROOM);
    read_header_again(i, rest);
#ifndef NO_SECOND_COPY
    if
    :: i == generation && rest == i ->
      d_step { STEP("find-gap\n"); find_gap(); i = 0 }
      copy_records(0, gap);
      read_header_again(i, rest)
    :: else
    fi;
#endif
    if
    :: i == generation && rest == i -> d_step { STEP("scan-records\n"); scan_records(); i = 0 }
    :: else -> i = 0
    fi
  fi;
  d_step { forget_copy(); judge_missed(); i = 0 }
}

#else

/* TailChunk.scan: from where the last whole record ended, as long as they are whole. */
inline tail_scans() {
  r = scanned;
  do
  :: r < ROOM ->
    if
    :: copied[r] != NOT_WHOLE -> believe_copied(copied[r]); r++
    :: else -> break
    fi
  :: else -> break
  od;
  scanned = r
}

inline tail_begins() {
  if
  :: known != generation -> known = generation; scanned = 0
  :: else
  fi
}

/* LogTail.read: what was appended to a chunk since the last poll. */
proctype reader() {
  byte chunk, generation, rest, i, polls, known, scanned;
  int asked;
  byte copied[ROOM];
  short word_first, word_one, word_two, word_sum;

  choose_chunk();
  do
  :: polls < POLLS ->
    read_begins();
    read_header(generation, rest);
    if
    :: is_empty(generation, rest) || generation != rest
    :: else ->
      d_step { STEP("tail-begins\n"); tail_begins() }
      copy_records(scanned, ROOM);
      read_header_again(i, rest);
      if
      :: i == generation && rest == i -> d_step { STEP("tail-scans\n"); tail_scans(); i = 0 }
      :: else -> i = 0
      fi
    fi;
    d_step { forget_copy(); judge_missed(); asked = 0; generation = 0; rest = 0; polls++ }
  :: else -> break
  od
}

#endif
#endif
