import { StoreError } from '../../objects/objects.ts'
import {
  delayDeletion,
  type DeletedObject,
  deletedObjectsOf,
  dueObjects,
  forgetObject,
} from '../../store/jobs/log-objects.ts'
import type { Context } from '../context.ts'

const most = 100

/** Deletes objects that no row names, until it is late. */
export async function deleteDueObjects(ctx: Context, isLate: () => boolean): Promise<void> {
  for (;;) {
    const due = await dueObjects(ctx.db, most)
    for (const object of due) {
      if (isLate()) return
      await deleteObject(ctx, object)
    }
    if (due.length < most) return
  }
}

/** Deletes the objects of a removed log immediately, if the store can be reached. */
export async function deleteObjectsOf(ctx: Context, logId: number): Promise<void> {
  for (const object of await deletedObjectsOf(ctx.db, logId)) await deleteObject(ctx, object)
}

/** Deletes an object, or postpones that if the store cannot be used now. */
export async function deleteObject(
  { db, objects, log }: Context,
  object: DeletedObject,
): Promise<void> {
  try {
    await objects.at(object.place).delete(object.key)
    await forgetObject(db, object)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    log.warn({ key: object.key, reason: error.reason }, 'an object is deleted later')
    await delayDeletion(db, object)
  }
}
