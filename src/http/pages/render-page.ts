import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** A whole document, ready to be sent. */
export function renderPage<Props>(page: VNode<Props>): string {
  return `<!doctype html>\n${renderToString(page)}\n`
}
