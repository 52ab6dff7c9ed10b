/// The Java and Kotlin packages and the .NET namespaces of widely used libraries.
enum LibraryPackages {
  /// True if `function` is in a package or namespace of a library.
  static func contain(_ function: String) -> Bool {
    var end = function.startIndex
    for _ in 0..<3 {
      guard let dot = function[end...].firstIndex(of: ".") else { return false }
      if names.contains(String(function[..<dot])) { return true }
      end = function.index(after: dot)
    }
    return false
  }

  private static let names = Set(
    (java + " " + dotNet).split(whereSeparator: \.isWhitespace).map(String.init))

  private static let java = """
    android androidx java javax jdk sun dalvik libcore kotlin kotlinx scala groovy clojure javafx
    junit okhttp3 okio retrofit2 retrofit rx reactor akka zio cats dagger coil coil3 butterknife
    timber rxdogtag2 koin epoxy
    com.sun com.oracle com.android com.google com.facebook com.squareup com.jakewharton com.airbnb
    com.bumptech com.amazonaws com.microsoft com.intellij com.jetbrains com.fasterxml com.github
    com.mapbox com.stripe com.onesignal com.bugsnag com.crashlytics com.adjust com.appsflyer
    com.unity3d com.badlogic com.pusher com.hivemq com.rabbitmq com.typesafe com.zaxxer com.lmax
    com.amplitude com.mixpanel com.segment com.braze com.appboy com.leanplum com.urbanairship
    com.datadog com.newrelic com.instabug com.flurry com.applovin com.ironsource com.vungle
    com.chartboost com.pubnub com.twilio com.ably com.couchbase com.mongodb com.jgoodies
    com.formdev com.android.billingclient com.huawei com.samsung com.qualcomm com.mediatek
    com.xiaomi com.reactnativecommunity com.swmansion com.horcrux com.polidea com.dooboolab
    com.tencent com.alibaba com.baidu com.linkedin com.nostra13 com.arellomobile com.hannesdorfmann
    com.tinder com.trello com.uber com.xwray com.afollestad com.tonyodev com.liulishuo
    com.neovisionaries com.koushikdutta com.loopj com.birbit com.path com.otaliastudios com.zebra
    com.launchdarkly com.auth0 com.okta com.netflix com.spotify com.apollographql com.novoda
    org.apache org.eclipse org.springframework org.jetbrains org.pushingpixels org.chromium
    org.slf4j org.json org.hibernate org.java_websocket org.webrtc org.fusesource org.quartz
    org.jdesktop org.fife org.libsdl org.qtproject org.greenrobot org.osmdroid org.maplibre
    org.robovm org.controlsfx org.kordamp org.assertj org.junit org.mockito org.robolectric
    org.altbeacon org.reactivestreams org.joda org.bouncycastle org.conscrypt org.koin org.kodein
    org.jboss org.wildfly org.glassfish org.netbeans org.openide org.jfree org.swinglabs
    org.jxmapviewer org.bytedeco org.lwjgl org.mozilla org.xmlpull org.w3c org.xml org.ietf
    org.rxtx org.postgresql org.mariadb org.h2 org.sqlite oracle.jdbc com.mysql org.usb4java org.jivesoftware org.asynchttpclient org.cometd org.threeten org.zeromq
    io.grpc io.netty io.ktor io.reactivex io.flutter io.socket io.lettuce io.realm io.sentry
    io.vertx io.micrometer io.opentelemetry io.rsocket io.moquette io.insert-koin io.invertase
    io.objectbox io.agora io.branch io.intercom io.nats io.undertow io.quarkus io.micronaut
    io.ably io.fabric io.paperdb io.supabase io.appium io.purchasely
    net.java net.miginfocom net.sf net.bytebuddy net.danlew redis.clients ch.qos ch.ethz
    uk.co.senab jp.wasabeef de.greenrobot de.hdodenhof expo.modules host.exp fi.iki cn.jpush
    coil.compose gnu.io jssc purejavacomm giu.io tornadofx eu.hansolo software.amazon app.cash
    no.nordicsemi nl.komponents me.leolin dev.flutter dev.fluttercommunity
    """

  private static let dotNet = """
    System ABI Microsoft Mono Xamarin MonoTouch Windows WinRT Interop MS Internal UIKit AppKit Foundation
    CoreFoundation ObjCRuntime CoreAnimation Android AndroidX Java Kotlin Google UnityEngine UnityEditor
    Unity DG UniRx Cysharp Zenject Photon Mirror Mono.Nat Avalonia ReactiveUI Splat DynamicData
    CommunityToolkit GalaSoft MvvmCross Caliburn Prism Stylet Uno Gtk GLib Gdk Gio Cairo Pango GtkSharp
    Eto Terminal Qml SkiaSharp OpenTK Silk Stride Godot MahApps MaterialDesignThemes HandyControl
    LiveCharts LiveChartsCore OxyPlot ScottPlot ZedGraph SciChart DevExpress Telerik Syncfusion
    Infragistics Janus ComponentFactory Krypton NAudio CSCore Polly Refit RestSharp Flurl Akka
    MassTransit Quartz Hangfire StackExchange Npgsql MySql Oracle Dapper NHibernate NetMQ MQTTnet
    uPLibrary RabbitMQ Grpc Confluent SocketIOClient SocketIO WebSocketSharp WatsonTcp Websocket
    SuperSocket SuperSimpleTcp Fleck CefSharp Xilium Azure Amazon Firebase Plugin Shiny Sentry Bugsnag
    Realms SQLite LiteDB Autofac Ninject DryIoc Castle Unosquare NUnit Xunit Serilog NLog log4net
    Newtonsoft Bogus Humanizer NModbus EasyModbus FluentModbus InTheHand Opc Workstation S7 Sharp7
    DotNetty Nito Rx ImageSharp SixLabors AForge Accord OpenCvSharp Emgu Vortice SharpDX Tizen
    Steamworks DiscordRPC Discord Telegram FFImageLoading Rg Controls Mapsui Esri
    """
}
