#include "CWebPages.h"

#include <libxml/HTMLparser.h>
#include <libxml/tree.h>
#include <limits.h>

static bool enter(xmlNode *node, const sites_page_reader *reader, void *context) {
  if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
    if (node->content) reader->text(context, (const char *)node->content);
    return false;
  }
  if (node->type != XML_ELEMENT_NODE) return false;
  xmlChar *link = xmlGetProp(node, (const xmlChar *)"href");
  bool goes_in = reader->begin(context, (const char *)node->name, (const char *)link);
  xmlFree(link);
  return goes_in;
}

static void leave(xmlNode *node, const sites_page_reader *reader, void *context) {
  if (node->type == XML_ELEMENT_NODE) reader->end(context, (const char *)node->name);
}

// A document may be nested deeper than any stack is, so the way back is what the nodes know.
static void walk(xmlNode *root, const sites_page_reader *reader, void *context) {
  xmlNode *node = root;
  while (node) {
    if (enter(node, reader, context) && node->children) {
      node = node->children;
      continue;
    }
    leave(node, reader, context);
    while (node != root && !node->next) {
      node = node->parent;
      leave(node, reader, context);
    }
    node = node == root ? NULL : node->next;
  }
}

bool sites_read_page(
    const char *bytes, size_t count, const sites_page_reader *reader, void *context) {
  if (count > INT_MAX) return false;
  int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET;
  htmlDocPtr document = htmlReadMemory(bytes, (int)count, NULL, NULL, options);
  if (!document) return false;
  xmlNode *root = xmlDocGetRootElement(document);
  if (root) walk(root, reader, context);
  xmlFreeDoc(document);
  return root != NULL;
}
