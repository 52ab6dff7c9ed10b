extension CallbackRules {
  /// Other platforms and toolkits, in the same form. A framework is the beginning of its functions' names.
  static let others = """
    okhttp3 | Callback | onResponse onFailure | any | OkHttp calls back on a thread of its dispatcher |
    okhttp3 | WebSocketListener, EventListener, Interceptor | onMessage onOpen onClosed onClosing intercept callStart callEnd | any | OkHttp calls it on a thread of its own |
    retrofit2 | Callback | onResponse onFailure | main | on Android Retrofit calls back on the main thread, unless another callbackExecutor was given | Leave the callbackExecutor as it is, or post to the main thread.
    com.android.billingclient | PurchasesUpdatedListener | onPurchasesUpdated | any | the billing library promises no thread for its listeners |
    com.android.billingclient | BillingClientStateListener | onBillingSetupFinished onBillingServiceDisconnected | any | since version 4 the billing library calls its listeners on a background thread |
    com.android.billingclient | response listeners | onProductDetailsResponse onSkuDetailsResponse onQueryPurchasesResponse onPurchasesResponse onConsumeResponse onAcknowledgePurchaseResponse onPurchaseHistoryResponse | any | since version 4 the billing library calls its listeners on a background thread |
    android.bluetooth | BluetoothGattCallback | onConnectionStateChange onServicesDiscovered onCharacteristicRead onCharacteristicWrite onCharacteristicChanged onDescriptorWrite onMtuChanged | any | GATT calls come on a binder thread, unless a Handler was given to connectGatt |
    android.net | ConnectivityManager.NetworkCallback | onAvailable onLost onCapabilitiesChanged onLinkPropertiesChanged | any | calls come on the connectivity thread, unless a Handler was given | Register with a Handler of the main looper.
    android.webkit | methods with @JavascriptInterface | ~JavaBridge ~nativeInvoke | any | scripts call on a private background thread of the WebView | Post to the main thread: webView.post or runOnUiThread.
    android.hardware.camera2 | CameraDevice and session callbacks | onOpened onDisconnected onCaptureCompleted onConfigured | queue | calls come on the Handler or Executor that was given | Give a Handler of the main looper.
    androidx.camera | ImageAnalysis.Analyzer | analyze onImageSaved onCaptureSuccess | queue | calls come on the Executor that was given | Give ContextCompat.getMainExecutor.
    com.google.android.gms | Task listeners | onSuccess onFailure onComplete | main | a Task's listeners run on the main thread, unless an Executor was given | Leave the Executor out, or post to the main thread.
    com.google.android.gms.location | LocationCallback | onLocationResult onLocationAvailability | runloop | calls come on the Looper or Executor that was given | Give Looper.getMainLooper().
    androidx.work | Worker.doWork | doWork | any | a worker runs on a thread of WorkManager's executor | Post to the main thread, or publish LiveData with postValue.
    java.util.concurrent | CompletableFuture stages | ~CompletableFuture | any | a stage runs on the thread that completed the one before | Give the stage an executor of the main thread.
    java.util.concurrent | executors' tasks | ~ThreadPoolExecutor | executor | a task runs on a thread of its executor |
    java.util.Timer | TimerTask.run | ~TimerThread | any | a timer's tasks run on the timer's own thread |
    javax.swing.SwingWorker | doInBackground | doInBackground | executor | it runs on a worker thread; done() and process() run on the event dispatch thread | Move the UI work to done() or process().
    io.reactivex | subscribers | ~reactivex | caller | a subscriber runs where its source emits | Put observeOn(AndroidSchedulers.mainThread()) before subscribe.
    QNetworkAccessManager | finished | ~QNetworkReply | runloop | a signal reaches a slot on its receiver's thread; a lambda without a context object runs on the emitter's | Give connect a context object that lives on the main thread.
    Qt | signals | ~doActivate ~void doActivate ~QMetaObject::activate ~QtPrivate::FunctorCall | caller | a direct connection calls the slot on the thread that emits the signal | Connect with Qt::QueuedConnection, and a receiver of the main thread.
    QThread | run, and slots called from it | ~QThread::run ~QThreadPrivate::start | executor | it runs on the new thread; a direct connection calls the slot there | Connect with Qt::QueuedConnection, or QMetaObject::invokeMethod.
    QtConcurrent | functions given to run | ~QtConcurrent ~QThreadPoolThread | executor | they run on a thread of the pool | Use QFutureWatcher, or QMetaObject::invokeMethod with Qt::QueuedConnection.
    g_task | GAsyncReadyCallback | ~g_task_return | runloop | the callback comes on the thread-default main context of the thread that started the call |
    g_task_thread | GTask run in a thread | ~g_task_thread_pool_thread | executor | the function runs on a thread of GLib's pool | Hand the result over by g_task_return, and change widgets in its callback.
    g_thread | GThread and GThreadPool functions | ~g_thread_proxy ~g_thread_pool_thread_proxy | executor | they run on a thread of their own | Use g_idle_add(function, data).
    gst_ | GStreamer pad probes, sync handlers, appsink callbacks | ~gst_bus_post ~gst_pad_push ~gst_app_sink ~gst_task_func | any | they run on a streaming thread | Use gst_bus_add_watch, or g_idle_add(function, data).
    System.Timers.Timer | Elapsed | ~System.Timers.Timer | any | the event comes on a thread of the pool, unless SynchronizingObject is set | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.Threading.Timer | TimerCallback | ~System.Threading.TimerQueue | any | the callback comes on a thread of the pool | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.IO.FileSystemWatcher | Changed, Created, Deleted, Renamed | ~System.IO.FileSystemWatcher | any | events come on a thread of the pool, unless SynchronizingObject is set | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.IO.Ports.SerialPort | DataReceived | ~System.IO.Ports.SerialPort | any | the event comes on a secondary thread | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.Net | asynchronous results | ~System.Net.LazyAsyncResult ~System.Net.Sockets.SocketAsyncEventArgs ~System.Net.WebClient | any | completions come on a thread of the pool | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.ComponentModel.BackgroundWorker | DoWork | ~System.ComponentModel.BackgroundWorker.WorkerThreadStart | executor | DoWork runs on a thread of the pool; ProgressChanged and RunWorkerCompleted run on the creating context | Move the UI work to RunWorkerCompleted.
    System.Threading.Tasks | continuations and Task.Run | ~System.Threading.Tasks.Task ~System.Threading.ThreadPoolWorkQueue | executor | without a captured context a continuation runs on a thread of the pool | Await without ConfigureAwait(false), or use Dispatcher.BeginInvoke.
    """
}
