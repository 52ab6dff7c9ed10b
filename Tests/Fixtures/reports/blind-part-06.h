/*
 * Known problem, see ticket 331. From the nightly:
 *
 *   BUG IN CLIENT OF LIBDISPATCH: dispatch_sync called on queue already owned by current thread
 *
 *   0  libdispatch.dylib        DISPATCH_WAIT_FOR_QUEUE + 484
 *   1  libdispatch.dylib        _dispatch_sync_f_slow + 148
 *   2  Ledger                   LedgerFeed.ingestBlocking(event:waitTimeout:) + 1012
 *   3  Ledger                   SocketServer.push(params:) + 1724
 *   4  Ledger                   closure #2 in SocketServer.process(_:) + 6880
 */
void ledger_feed_lock(void);
