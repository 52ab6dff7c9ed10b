// Operations that take their time, for an app that shows how far they have come.
//
//   startOperation(id) begins one. What becomes of it is posted as text to the handler "jumbo":
//   {"id": id, "message": "progress", "progress": 0 to 100}, several times, and at the end
//   {"id": id, "message": "completed", "state": "success" or "error"}.
//
// Every third operation fails on its way.

(function () {
  'use strict';

  const steps = 5;
  let started = 0;

  function post(message) {
    window.webkit.messageHandlers.jumbo.postMessage(JSON.stringify(message));
  }

  function advance(id, step, pause, failsAt) {
    if (step === failsAt) return post({ id: id, message: 'completed', state: 'error' });
    post({ id: id, message: 'progress', progress: (100 * step) / steps });
    if (step === steps) return post({ id: id, message: 'completed', state: 'success' });
    setTimeout(advance, pause, id, step + 1, pause, failsAt);
  }

  window.startOperation = function (id) {
    if (typeof id !== 'string' || id === '') throw new TypeError('an operation wants an id');
    started += 1;
    const pause = 60 + 20 * (started % 3);
    setTimeout(advance, pause, id, 1, pause, started % 3 === 0 ? 3 : undefined);
  };
})();
