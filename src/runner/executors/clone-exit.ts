import { noRoomCode, refusedCode } from '../../script/clone-codes.ts'
import type { Exit, Step } from '../executor.ts'

/** How a step ended whose exit code says that the job has no result; undefined for other codes. */
export function cloneExit({ name }: Step, code: number | null): Exit | undefined {
  if (name !== 'clone') return undefined
  if (code === noRoomCode) return { kind: 'lost', why: 'the disk of its machine is full' }
  return code === refusedCode ? { kind: 'refused' } : undefined
}
