import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** A complete HTML document. */
export function renderPage<Props>(page: VNode<Props>): string {
  return `<!doctype html>\n${renderToString(page)}\n`
}
