import type { User } from './owner.ts'

/** The user who makes a change through a door, with the token used and the address it came from. */
export interface Actor {
  user: Pick<User, 'id' | 'login' | 'name'>
  token_id: number | null
  address: string
}

/** The author of a change: a user, or a person at the machine itself. */
export interface Author extends Omit<Actor, 'user'> {
  user: { id: number | null; login: string }
}

/** The caller of a command on the service's machine, who can do everything. */
export const operator: Author = {
  user: { id: null, login: 'operator' },
  token_id: null,
  address: 'command line',
}

/** The service itself, when it changes records of users. */
export const itself: Author = {
  user: { id: null, login: 'service' },
  token_id: null,
  address: 'service',
}

/** The person who registers the service's app, and proves it with the code shown in the service's log. */
export const installer = (address: string): Author => ({
  user: { id: null, login: 'operator' },
  token_id: null,
  address,
})

/** A change made by a person or token. */
export interface Change {
  /** In a word or two: `cancel`, `remove_log`. */
  action: string
  subject_type:
    | 'app'
    | 'broadcast'
    | 'build'
    | 'delivery'
    | 'job'
    | 'notification'
    | 'organization'
    | 'repository'
    | 'request'
    | 'token'
    | 'user'
  subject_id: number
  /** Details: only names, and data visible to everyone who sees the subject; never a secret. */
  changed?: Readonly<Record<string, unknown>>
}

export interface AuditRecord {
  id: number
  /** Null if the author is not a user, or the user was deleted; `actor` keeps the login. */
  actor_id: number | null
  actor: string
  action: string
  subject_type: Change['subject_type']
  subject_id: number | null
  details: { token_id: number | null; address: string; changed: NonNullable<Change['changed']> }
  created_at: Date
}
