import type { Viewer } from '../../src/access/viewer.ts'
import type { Repository, Role, Seen } from '../../src/domain/repository.ts'
import { repositoryRecord, userRecord } from '../http/pages/records.ts'

export const viewer: Viewer = { user: userRecord({ id: 7 }), scopes: ['public', 'private'] }

export const roles = {
  pull: { pull: true, push: false, admin: false },
  push: { pull: true, push: true, admin: false },
  admin: { pull: true, push: true, admin: true },
} satisfies Record<string, Role>

/** A public repository on which the viewer has no role, unless told otherwise. */
export function seen(given: Partial<Seen<Repository>>): Seen<Repository> {
  return { ...repositoryRecord({ owner_id: 2 }), role: null, ...given }
}
