import { expect } from 'vitest'
import type { Settings } from '../../../src/domain/settings.ts'
import { changeSettings } from '../../../src/store/repositories/settings.ts'
import { eventually } from '../../support/app-story.ts'
import type { Scene } from './scene.ts'

export interface Situation {
  title: string
  /** The build file; undefined where there is none, or where it does not matter. */
  file?: string
  /** Brings it about. Returns the commit whose status counts; null where there is none. */
  act(scene: Scene, file: string): Promise<string | null>
  /** Waits for a situation that does not end by itself. */
  open?(scene: Scene): Promise<void>
  /** Ends it. */
  after?(scene: Scene): Promise<void>
}

export const plain = 'script: make\n'

export const pushed = async ({ push }: Scene, file: string) => push(file)

export const pulled = async ({ pull }: Scene, file: string) => (await pull(file)).head.sha

/** Pushes the file to a branch of this name. */
export const pushedTo = (branch: string) => async (scene: Scene, file: string) =>
  scene.push(file, { branch })

/** Pushes a tag of this name that has the file. */
export const tagged = (tag: string) => async (scene: Scene, file: string) => {
  const sha = await scene.quietly(() => scene.push(file))
  await scene.host.pushRef(scene.repository, `refs/tags/${tag}`, { sha })
  return sha
}

export async function setting(
  { db, repository }: Scene,
  settings: Partial<Settings>,
): Promise<void> {
  const { id } = await db
    .selectFrom('repositories')
    .select('id')
    .where('codehost_id', '=', repository.id)
    .executeTakeFirstOrThrow()
  await changeSettings(db, id, settings)
}

/** Waits for a request that is not decided, for a reason like this. */
export const openBecause = (reason: RegExp) => (scene: Scene) =>
  eventually(async () => {
    const { message } = await scene.db
      .selectFrom('requests')
      .select('message')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(message).toMatch(reason)
  })
