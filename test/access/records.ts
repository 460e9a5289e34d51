import type { Viewer } from '../../src/access/viewer.ts'
import type { User } from '../../src/domain/owner.ts'
import type { Repository, Role, Seen } from '../../src/domain/repository.ts'

const noon = new Date('2026-01-02T12:00:00Z')

const user: User = {
  id: 7,
  provider: 'codehost',
  codehost_id: 70,
  login: 'octavia',
  name: null,
  email: null,
  avatar_url: null,
  locale: null,
  is_syncing: false,
  sync_started_at: null,
  synced_at: null,
  codehost_refused_at: null,
  first_logged_in_at: noon,
  last_activity_at: null,
  blocked_at: null,
  build_emails: true,
  created_at: noon,
  updated_at: noon,
}

export const viewer: Viewer = { user, scopes: ['public', 'private'] }

export const roles = {
  pull: { pull: true, push: false, admin: false },
  push: { pull: true, push: true, admin: false },
  admin: { pull: true, push: true, admin: true },
} satisfies Record<string, Role>

/** A public repository on which the viewer has no role, unless told otherwise. */
export function seen(given: Partial<Seen<Repository>>): Seen<Repository> {
  return {
    id: 1,
    provider: 'codehost',
    codehost_id: 10,
    owner_id: 2,
    owner_type: 'User',
    owner_name: 'octavia',
    name: 'hello',
    description: null,
    homepage: null,
    private: false,
    fork: false,
    active: true,
    default_branch_name: 'main',
    default_branch_last_build_id: null,
    codehost_language: null,
    installation_id: null,
    managed_by_installation: false,
    next_build_number: 1,
    build_count: 0,
    last_build_id: null,
    last_build_started_at: null,
    archived_at: null,
    invalidated_at: null,
    deleted_at: null,
    created_at: noon,
    updated_at: noon,
    role: null,
    ...given,
  }
}
