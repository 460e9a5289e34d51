import type { User } from './owner.ts'

/** Who changes something through a door: a user, with one of their tokens, from an address. */
export interface Actor {
  user: Pick<User, 'id' | 'login' | 'name'>
  token_id: number | null
  address: string
}

/** Whoever changes something, where that is not always a user: someone at the machine itself, say. */
export interface Author extends Omit<Actor, 'user'> {
  user: { id: number | null; login: string }
}

/** Who calls a command on the machine of the service, and so can do all that there is to be done. */
export const operator: Author = {
  user: { id: null, login: 'operator' },
  token_id: null,
  address: 'command line',
}

/** Who knows the code that the log of the service shows, and so registers its app. */
export const installer = (address: string): Author => ({
  user: { id: null, login: 'operator' },
  token_id: null,
  address,
})

/** What a person or token changed. */
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
  /** What of it. Names and what everyone who sees the subject can see, never a secret. */
  changed?: Readonly<Record<string, unknown>>
}

export interface AuditRecord {
  id: number
  /** Null for who is no user, and once the user is deleted; `actor` is their login and stays. */
  actor_id: number | null
  actor: string
  action: string
  subject_type: Change['subject_type']
  subject_id: number | null
  details: { token_id: number | null; address: string; changed: NonNullable<Change['changed']> }
  created_at: Date
}
