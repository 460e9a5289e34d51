import { anonymous, type Viewer } from '../../access/viewer.ts'
import type { Site } from '../context.ts'
import type { Frame } from './layout.tsx'
import { styleHash } from './style.ts'

/** What a page shows around its content. */
export function frameOf({ prefix, version }: Site, viewer: Viewer = anonymous): Frame {
  return { prefix, version, styleHash, viewer }
}
