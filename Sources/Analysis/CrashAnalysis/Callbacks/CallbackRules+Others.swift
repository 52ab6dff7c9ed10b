extension CallbackRules {
  /// Other platforms and toolkits, in the same format. The framework column is a prefix of function
  /// names.
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
    org.eclipse.core | IResourceChangeListener | resourceChanged | any | listeners are called on the thread that changed the resource, most often a job's | Use Display.asyncExec.
    org.eclipse.core | Job.run | ~org.eclipse.core.internal.jobs.Worker | executor | a job runs on a worker thread | Use Display.asyncExec, or a UIJob.
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
    com.google.firebase.messaging | FirebaseMessagingService | onMessageReceived onNewToken onDeletedMessages onMessageSent onSendError | any | its methods run on a background thread |
    com.google.firebase.database | ValueEventListener, ChildEventListener | onDataChange onCancelled onChildAdded onChildChanged onChildRemoved | main | listeners run on the main thread of an Android application |
    com.google.firebase.firestore | EventListener | onEvent | main | listeners run on the main thread, unless an Executor was given | Leave the Executor out, or post to the main thread.
    io.grpc | StreamObserver, ClientCall.Listener | onNext onError onCompleted onMessage onClose onHeaders onReady | any | observers are called on the channel's executor, a pool of gRPC's unless another was given |
    org.eclipse.paho | MqttCallback, IMqttActionListener | messageArrived connectionLost deliveryComplete connectComplete onSuccess onFailure | any | Paho calls back on threads of its client |
    com.hivemq | MQTT client callbacks | ~com.hivemq | any | HiveMQ's client calls back on threads of its own, unless an executor was given |
    com.rabbitmq | Consumer, DeliverCallback | handleDelivery handleCancel handleShutdownSignal handle | any | consumers run on a pool of the connection |
    io.nats | MessageHandler | onMessage | any | a dispatcher calls it on a thread of its own |
    io.socket | Emitter.Listener | call ~io.socket | any | Socket.IO calls listeners on its event thread |
    org.java_websocket | WebSocketClient, WebSocketServer | onMessage onOpen onClose onError | any | Java-WebSocket calls them on a thread of its own |
    io.ktor | Ktor client and server | ~io.ktor | executor | Ktor resumes on a dispatcher of its engine | Use withContext(Dispatchers.Main).
    java.nio.channels | CompletionHandler | completed failed | any | handlers run on a thread of the channel's group |
    java.util.prefs | PreferenceChangeListener | preferenceChange childAdded childRemoved | any | listeners are called on a thread of the preferences |
    kotlinx.coroutines | coroutines | ~kotlinx.coroutines.scheduling ~kotlinx.coroutines.DispatchedTask | executor | a coroutine runs on a thread of its dispatcher | Start it on Dispatchers.Main, or use withContext(Dispatchers.Main).
    android.nfc | NfcAdapter.ReaderCallback | onTagDiscovered | any | the call comes on a thread of the NFC service, not the main one |
    android.speech.tts | UtteranceProgressListener | onStart onDone onError onStop | any | the engine calls it on a thread of its own |
    android.net.nsd | NsdManager listeners | onServiceFound onServiceLost onServiceResolved onDiscoveryStarted | any | calls come on an internal thread of NsdManager |
    android.content | BroadcastReceiver | onReceive | runloop | it runs on the main thread, unless it was registered with a Handler | Register it without a Handler.
    android.content | ContentProvider, called by other processes | query insert update delete getType | any | calls come on binder threads |
    android.database | ContentObserver | onChange | runloop | it runs on the Handler that it was made with | Make it with a Handler of the main looper.
    android.location | LocationListener | onLocationChanged | runloop | calls come on the Looper that was given, else on that of the calling thread | Give Looper.getMainLooper().
    android.hardware | SensorEventListener | onSensorChanged onAccuracyChanged | runloop | calls come on the Handler that was given, else on the main thread | Register without a Handler.
    android.os.AsyncTask | doInBackground | doInBackground | executor | it runs on a worker thread; onPostExecute runs on the main one | Move the UI work to onPostExecute.
    android.os.FileObserver | onEvent | onEvent | any | it runs on FileObserver's own thread |
    android.media | AudioTrack, MediaCodec and MediaRecorder callbacks | onInputBufferAvailable onOutputBufferAvailable onOutputFormatChanged | runloop | calls come on the Handler that was given, else on the Looper of the thread that made the object |
    reactor. | subscribers | ~reactor. | caller | a subscriber runs where its source emits | Put publishOn before subscribe.
    rx. | subscribers | ~rx. | caller | a subscriber runs where its source emits | Put observeOn before subscribe.
    mqtt:: | callback and action listeners (Paho C++) | message_arrived connected connection_lost delivery_complete on_success on_failure ~mqtt::async_client | any | Paho calls back on the receive thread of its C library |
    MQTTAsync | callbacks (Paho C) | ~MQTTAsync_ | any | callbacks run on the library's receive thread |
    MQTTClient | callbacks (Paho C) | ~MQTTClient_ ~connectionLost_call | any | callbacks run on the library's receive thread |
    mosquitto | mosquitto callbacks | ~mosquitto_loop ~mosquitto__thread_main ~mosquitto_ | any | callbacks run on the thread of the network loop |
    grpc:: | reactors and completion queues | OnDone OnReadDone OnWriteDone ~grpc:: | any | reactions run on threads of gRPC's |
    boost::asio | handlers | ~boost::asio | executor | a handler runs on a thread that runs its io_context |
    curl_ | transfer callbacks | ~curl_ ~Curl_ ~multi_runsingle | caller | callbacks run on the thread that performs the transfer |
    libusb_ | transfer callbacks | ~libusb_handle_events ~usbi_handle_transfer | any | callbacks run on the thread that handles libusb's events |
    uv_ | libuv callbacks | ~uv__ ~uv_run | runloop | callbacks run on the thread of their loop; those of the pool on one of its threads |
    lws_ | libwebsockets callbacks | ~lws_ | runloop | callbacks run on the thread that serves the context |
    Pa_ | PortAudio callbacks | ~PaUnix ~PaAlsa ~CallbackThreadFunc | any | callbacks run on the thread of the audio device |
    g_dbus | signal and method handlers | ~g_dbus ~emit_signal_instance | runloop | handlers run in the thread-default main context of the thread that subscribed |
    paho.mqtt.client | on_message, on_connect | ~paho.mqtt | any | callbacks run on the thread of the network loop |
    Microsoft.AspNetCore.SignalR.Client | handlers registered with On | ~Microsoft.AspNetCore.SignalR | any | the client calls handlers on the thread pool |
    MQTTnet | message and connection handlers | ~MQTTnet | any | handlers run on threads of the client or of the pool |
    RabbitMQ.Client | consumers | ~RabbitMQ.Client | any | consumers run on a pool of the connection |
    Grpc. | calls and streams | ~Grpc. | any | gRPC continues on the thread pool if no context was \
    captured |
    System.Reactive | observers | ~System.Reactive | caller | an observer runs where its source emits; a timer's is a thread of the pool | Put ObserveOn with the UI's scheduler or SynchronizationContext before Subscribe.
    WebSocketSharp | OnMessage, OnOpen, OnClose | ~WebSocketSharp | any | events come on a thread of the pool |
    SocketIOClient | On handlers | ~SocketIOClient | any | handlers run on a thread of the pool |
    Plugin.BLE | device and characteristic events | ~Plugin.BLE | any | events come on a thread of the platform's Bluetooth |
    Windows.Devices | WinRT events | ~Windows.Devices | any | events come on a thread of the pool |
    System.Net.NetworkInformation | NetworkChange events | ~System.Net.NetworkInformation | any | events come on a thread of the pool |
    Microsoft.Win32.SystemEvents | system events | ~Microsoft.Win32.SystemEvents | any | events may come on a thread of SystemEvents |
    System.Diagnostics.Process | Exited, OutputDataReceived | ~System.Diagnostics.Process ~System.Diagnostics.AsyncStreamReader | any | events come on a thread of the pool, unless SynchronizingObject is set |
    System.Timers.Timer | Elapsed | ~System.Timers.Timer | any | the event comes on a thread of the pool, unless SynchronizingObject is set | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.Threading.Timer | TimerCallback | ~System.Threading.TimerQueue | any | the callback comes on a thread of the pool | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.IO.FileSystemWatcher | Changed, Created, Deleted, Renamed | ~System.IO.FileSystemWatcher | any | events come on a thread of the pool, unless SynchronizingObject is set | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.IO.Ports.SerialPort | DataReceived | ~System.IO.Ports.SerialPort | any | the event comes on a secondary thread | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.Net | asynchronous results | ~System.Net.LazyAsyncResult ~System.Net.Sockets.SocketAsyncEventArgs ~System.Net.WebClient | any | completions come on a thread of the pool | Use Dispatcher.BeginInvoke or Control.BeginInvoke.
    System.ComponentModel.BackgroundWorker | DoWork | ~System.ComponentModel.BackgroundWorker.WorkerThreadStart | executor | DoWork runs on a thread of the pool; ProgressChanged and RunWorkerCompleted run on the creating context | Move the UI work to RunWorkerCompleted.
    System.Threading.Tasks | continuations and Task.Run | ~System.Threading.Tasks.Task ~System.Threading.ThreadPoolWorkQueue | executor | without a captured context a continuation runs on a thread of the pool |
    """
}
