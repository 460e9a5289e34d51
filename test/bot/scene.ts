import { beforeEach } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { ownDatabase, testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { openDoor } from './door.ts'

export const { db } = await ownDatabase()
export const make = factories(db)

/** A repository at a code host, new before each test of the files that call `useScene`. */
export const scene = {} as { codehost: MemoryCodehost; repository: Repository; ctx: TestContext }

let door: Awaited<ReturnType<typeof openDoor>>

export async function useScene(): Promise<void> {
  await testDatabase()
  door = await openDoor(db, testContext(db))
  beforeEach(async () => {
    scene.codehost = memoryCodehost()
    scene.repository = await make.repository()
    scene.ctx = testContext(db, { codehost: scene.codehost })
  })
}

/** Delivers a signed webhook; returns what became of it. */
export const deliver = (event: string, payload: unknown) => door(event, payload, scene.ctx)
