import IncidentModel

/// Separates system and widely used library code from a program's own code if a report does not.
enum ForeignCode {
  /// True if an image belongs to the operating system.
  static func isSystem(image: String, path: String) -> Bool {
    if !path.isEmpty, systemPaths.contains(where: path.hasPrefix) { return true }
    if systemPrefixes.contains(where: image.hasPrefix) { return true }
    if systemSuffixes.contains(where: image.hasSuffix) { return true }
    let name = image.hasSuffix(".framework") ? String(image.dropLast(10)) : image
    if frameworks.contains(name) { return true }
    // The private companion of a framework, such as `PhotosUIPrivate`.
    return halves.contains { half in
      name.hasSuffix(half) && frameworks.contains(String(name.dropLast(half.utf8.count)))
    }
  }

  /// True if a function or an image belongs to a well-known library that programs bundle.
  static func isLibrary(function: String, image: String) -> Bool {
    if libraries.contains(image) || headers.contains(where: function.hasPrefix) { return true }
    if recorders.contains(where: function.hasPrefix) { return true }
    if isQt(image: image) || qt.contains(where: function.hasPrefix) { return true }
    // A statically linked library is in the program's image, and its symbols carry its module's
    // name.
    let path = function.range(of: " in ").map { function[$0.upperBound...] } ?? function[...]
    let module = path.prefix { $0 != "." && $0 != "(" && $0 != "<" && $0 != " " }
    return libraries.contains(String(module)) && path.dropFirst(module.count).first == "."
  }

  /// Functions of crash reporters that are linked into a program.
  private static let recorders = [
    "FIRCLS", "CLSProcess", "CLSMach", "CLSSignal", "CLSException", "kscrash_", "ksmc_", "KSCrash",
    "-[KSCrash",
    "sentrycrash", "SentryCrash", "-[SentryCrash", "bsg_", "BSG_", "-[Bugsnag", "plcrash_", "plcr_",
    "-[PLCrash", "google_breakpad::", "crashpad::", "ExceptionHandler::", "-[MSACCrash", "BITCrash",
    "uncaught_exception_handler", "handleException(",
  ]

  /// True for Qt libraries such as `QtCore`, `libQt6Core.so.6`, `Qt5Widgetsd.dll`, and for Qt's
  /// platform plugins.
  private static func isQt(image: String) -> Bool {
    let name = image.hasPrefix("lib") ? image.dropFirst(3) : image[...]
    if ["qcocoa.", "qxcb.", "qwayland-", "qwindows.", "ffmpegmediaplugin."].contains(
      where: name.hasPrefix)
    {
      return true
    }
    guard name.hasPrefix("Qt") else { return false }
    return name.dropFirst(2).drop(while: \.isNumber).first?.isUppercase == true
  }

  /// Names of common Qt functions, and of Qt templates that are instantiated in programs.
  private static let qt = [
    "QtPrivate::", "QtSharedPointer::", "qt_message_fatal", "qt_message(", "qt_assert",
    "QMessageLogger::",
    "QObject::", "QObjectPrivate::", "QMetaObject::", "QCoreApplication", "QThreadPrivate::",
  ]

  /// True if the name alone shows that a function belongs to the system, for reports without
  /// images.
  static func isSystem(function: String) -> Bool {
    WaitFunctions.isWait(function) || WaitFunctions.isLoop(function)
      || functions.contains(where: function.hasPrefix)
  }

  /// True if only Apple's systems have functions with names like `function`, for stacks without
  /// images. A category on a
  /// system class may belong to the program, so it does not count.
  static func isApple(function: String) -> Bool {
    guard appleFunctions.contains(where: function.hasPrefix) else { return false }
    guard let open = function.prefix(while: { $0 != " " }).firstIndex(of: "("),
      function.hasPrefix("-[") || function.hasPrefix("+[")
    else { return true }
    let category = function[function.index(after: open)...].prefix { $0 != ")" }
    return ["UI", "NS", "CA", "_UI"].contains(where: category.hasPrefix)
      || ["Hierarchy", "Internal", "Geometry", "Rendering"].contains(category)
  }

  private static let appleFunctions = [
    "-[CA", "+[CA", "-[UI", "+[UI", "-[_UI", "+[_UI", "-[NS", "+[NS", "-[_NS", "+[_NS", "-[WK",
    "+[WK", "-[WAK", "CA::", "_UI", "_NS", "__NS", "_pthread_", "start_wqthread", "thread_start",
    "_dispatch_", "__dispatch", "__CF", "_CFRunLoop", "CFRunLoopRun", "WebThreadLock",
    "WebRunLoop", "objc_", "_objc_", "NSApplicationMain", "UIApplicationMain", "GSEventRun",
  ]

  private static let functions = [
    "mach_msg", "start", "_start", "thread_start", "_pthread", "pthread_", "_dispatch", "dispatch_",
    "__DISPATCH", "CF", "__CF", "_CF", "NSApplicationMain", "UIApplicationMain", "-[NS", "+[NS",
    "-[_NS",
    "-[UI", "+[UI", "_DPS", "_NS", "RunCurrentEventLoop", "ReceiveNextEvent", "_BlockUntil",
    "kevent",
    "__select", "__psynch", "semaphore_", "read", "write", "fsync", "objc_", "_objc_", "swift_",
    "???",
  ]

  /// Namespaces of header-only templates, which are compiled into the program.
  private static let headers = ["std::", "boost::", "absl::", "folly::", "__gnu_cxx::"]

  private static let systemPaths = [
    "/System/", "/usr/lib/", "/usr/libexec/", "/lib/", "/lib64/", "/usr/lib64/",
    "/Applications/Xcode", "/Library/Developer/CoreSimulator/",
  ]

  private static let systemPrefixes = [
    "libsystem_", "libdispatch", "libswift", "libobjc", "libc++", "libc.so", "libpthread",
    "libFoundation", "lib_Foundation", "libXPC", "libxpc", "libstdc++", "libgcc", "ld-linux",
    "libsqlite3", "libz.", "libicu", "libnetwork", "libBacktrace", "libRPAC",
    "libMainThreadChecker",
    "libViewDebugger", "libAccessibility", "com.apple.", "dyld", "linux-vdso", "libCoreFP",
    "libart.so", "libc.", "boot-framework", "libarclite", "libgcd", "libRosetta",
  ]

  /// Suffixes of private framework names that no program's framework uses.
  private static let systemSuffixes = [
    "BoardServices", "BoardUIServices", "BoardFoundation", "TextInputUI", "UIKitServices",
  ]

  private static let halves = ["Private", "Internal"]

  private static let frameworks: Set<String> = Set(
    """
    ??? ARKit AVFAudio AVFCapture AVFCore AVFoundation AVKit Accelerate Accessibility Accounts
    AdServices AdSupport AddressBook AddressBookUI AppClip AppIntents AppKit AppTrackingTransparency
    AssetsLibrary AudioToolbox AudioToolboxCore AuthenticationServices AXRuntime AssetsLibraryServices
    BackBoardServices BackgroundTasks BoardServices BusinessChat CFNetwork CallKit CarPlay CloudKit
    ClassKit Combine Contacts ContactsUI CoreAnimation CoreAudio CoreAutoLayout CoreBluetooth CoreData
    CoreFoundation CoreGraphics CoreHaptics CoreImage CoreLocation CoreMIDI CoreML CoreMedia CoreMotion
    CoreNFC CoreServices CoreSpotlight CoreTelephony CoreText CoreUI CoreVideo CoreMediaIO CryptoKit
    CryptoTokenKit DeviceCheck DocumentManager EventKit EventKitUI ExternalAccessory
    FileProvider Foundation FrontBoardServices GLKit GameController GameKit GameplayKit Gestures
    GraphicsServices HIToolbox HealthKit HealthKitUI HomeKit IOKit IOSurface ImageIO Intents IntentsUI
    JavaScriptCore LaunchServices LinkPresentation LocalAuthentication MapKit MediaPlayer
    MediaRemote MediaToolbox MessageUI Messages Metal MetalKit MetalPerformanceShaders MetricKit MobileCoreServices
    MultipeerConnectivity NaturalLanguage NearbyInteraction Network NetworkExtension
    NotificationCenter OpenGL OpenGLES PDFKit PHPhotoLibrary PassKit PencilKit PhotoLibrary
    PhotoLibraryServices Photos PhotosUI PushKit QuartzCore QuickLook QuickLookThumbnailing
    RealityKit ReplayKit RunningBoardServices SafariServices SceneKit ScreenTime Security
    SensorKit ServiceManagement ShazamKit SiriKit Social SoundAnalysis Speech SpriteKit SpringBoardServices
    StoreKit StoreKitUI SwiftUI SwiftUICore SystemConfiguration SystemExtensions TCC TelephonyUtilities
    TextInputUI UIFoundation UIKit UIKitCore UIKitServices UniformTypeIdentifiers UserNotifications
    UserNotificationsUI VideoSubscriberAccount VideoToolbox Vision VisionKit WatchConnectivity
    WatchKit WebCore WebKit WebKitLegacy WidgetKit XCTest XCTestCore XCTAutomationSupport ActivityKit
    CoreTransferable CryptoKitPrivate ExtensionFoundation GroupActivities Observation
    PhotosUICore ProtocolBuffer Sharing SwiftData TipKit WeatherKit AppleMediaServices
    AssistantServices AVRouting CoreAudioTypes CoreDuet CoreSuggestions ContactsFoundation
    Swift _Concurrency Dispatch CoreNavigation LaunchServicesCore LocationSupport MobileWiFi ViewBridge
    xctest kernel start java.base
    ApplicationServices AXMediaUtilities BaseBoard Carbon CarbonCore Cocoa CMCapture ColorSync
    CoreEmoji DataDetectorsUI DesktopServicesPriv FrontBoard HIServices IMCore InputMethodKit
    IOMobileFramebuffer LoginUIKit Metadata PrototypeTools QuickLookUI RemoteViewServices SkyLight
    SpringBoardUIServices TextInputCore TextInput UIAccessibility UIKitMacHelper UIKitSystemAppServices
    AppSupport AssertionServices BiometricKit CalendarFoundation ChatKit CoreRoutine CoreUtils
    AccessibilityUtilities AppStoreDaemon AttributeGraph CoreDAV CoreKnowledge CoreParsec CoreServicesInternal
    DocumentManagerCore DocumentManagerUICore FeatureFlags FuturesCore HangTracer InputUI InputContext
    IntlPreferences KeyboardServices LinkServices MediaSafetyNet MobileContainerManager OnBoardingKit
    PhotosGraph PointerUIServices Preferences QuickLookSupport RemoteTextInput RemoteUI SafariShared
    SearchFoundation SiriUI SpotlightServices SymptomReporter UIIntelligenceSupport UserActivity
    UserManagement VisualIntelligence WebBookmarks WebUI XCTAutomationSupport libGPUSupport
    GeoServices IconServices ManagedConfiguration MobileAsset NotificationCenterUI PersonaKit
    ProactiveSupport RenderBox ShareSheet SoftLinking UIKitBase WebInspector caulk vImage vecLib
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  private static let libraries: Set<String> = Set(
    """
    AFNetworking Adjust Alamofire AlamofireImage Amplitude Apollo AppAuth AppsFlyerLib AsyncDisplayKit
    Auth0 Branch Bugsnag Charts CocoaLumberjack CombineCocoa ComposableArchitecture Crashlytics
    Eureka FBLPromises FBSDKCoreKit FBSDKLoginKit FirebaseAnalytics FirebaseAuth FirebaseCore
    FirebaseCrashlytics FirebaseDatabase FirebaseFirestore FirebaseInstallations FirebaseMessaging
    FirebasePerformance FirebaseRemoteConfig Flutter GRDB GoogleDataTransport GoogleMaps GoogleSignIn
    GoogleUtilities Hero IQKeyboardManager IQKeyboardManagerSwift KSCrash Kingfisher Lottie MBProgressHUD
    Mantle Masonry Mixpanel Moya NIO NIOConcurrencyHelpers NIOCore NIOFoundationCompat NIOHTTP1 NIOHTTP2
    NIOPosix NIOSSL NIOTransportServices Nuke OneSignal Promises PromiseKit PLCrashReporter
    PINCache PINRemoteImage RNScreens React ReactiveCocoa ReactiveObjC ReactiveSwift Realm RealmSwift
    RxBlocking RxCocoa RxCore RxRelay RxSwift SDWebImage Sentry SentryPrivate SnapKit SocketIO Starscream
    Stripe SVProgressHUD Swinject Texture Toast YogaKit ZIPFoundation grpc leveldb nanopb AsyncHTTPClient
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
