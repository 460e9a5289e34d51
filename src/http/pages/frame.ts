import { anonymous, type Viewer } from '../../access/viewer.ts'
import type { HttpContext, Site } from '../core/context.ts'
import { style } from './assets.ts'
import type { Frame } from './parts/layout.tsx'

/** The data that a page shows around its content. */
export function frameOf({ prefix, version }: Site, viewer: Viewer = anonymous): Frame {
  return { prefix, version, styleHash: style.hash, viewer }
}

/**
 * How a page connects to the streaming service: to the embedded one at the page's own address, which the
 * browser could reach.
 */
export function streamOf({ streaming }: Pick<HttpContext, 'streaming'>): Frame['stream'] {
  return streaming && { key: streaming.app.key, address: streaming.url }
}
