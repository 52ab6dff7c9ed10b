import BreadcrumbLog
import IncidentModel

let incident = try LogReader(path: CommandLine.arguments[1]).read()
print(incident.ending, incident.process as Any, incident.losses, incident.unread, incident.notes)
for crumb in incident.crumbs {
  print(
    crumb.wall - (incident.process?.openedWall ?? 0), crumb.thread, crumb.number, crumb.kind.name,
    crumb.queue?.label ?? "-", crumb.onMain, crumb.category, crumb.message, crumb.data,
    crumb.stack?.frames.count as Any)
}
print(incident.modules.count, incident.threads)
