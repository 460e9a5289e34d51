import { anonymous, type Viewer } from '../../access/viewer.ts'
import type { Site } from '../core/context.ts'
import { style } from './assets.ts'
import type { Frame } from './parts/layout.tsx'

/** The data that a page shows around its content. */
export function frameOf({ prefix, version }: Site, viewer: Viewer = anonymous): Frame {
  return { prefix, version, styleHash: style.hash, viewer }
}
