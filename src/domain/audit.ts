import type { User } from './owner.ts'

/** Who changes something through a door: a user, with one of their tokens, from an address. */
export interface Actor {
  user: Pick<User, 'id' | 'login' | 'name'>
  token_id: number | null
  address: string
}

/** What a person or token changed. */
export interface Change {
  /** In a word or two: `cancel`, `remove_log`. */
  action: string
  subject_type:
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
  /** Null once the user is deleted; `actor` is their login and stays. */
  actor_id: number | null
  actor: string
  action: string
  subject_type: Change['subject_type']
  subject_id: number | null
  details: { token_id: number | null; address: string; changed: NonNullable<Change['changed']> }
  created_at: Date
}
