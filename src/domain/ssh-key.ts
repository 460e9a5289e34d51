/** The private key that a repository's jobs use instead of the repository's own key. */
export interface SshKey {
  repository_id: number
  description: string
  fingerprint: string | null
  /** In PEM; null for a key stored before this field existed, or of a kind without a PEM form. */
  public_key: string | null
  sealed_value: string
  created_at: Date
  updated_at: Date
}
