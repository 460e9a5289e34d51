/** The private key that a repository's jobs use instead of its own one. */
export interface SshKey {
  repository_id: number
  description: string
  fingerprint: string | null
  sealed_value: string
  created_at: Date
  updated_at: Date
}
