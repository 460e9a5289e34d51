/** An archive that jobs of a branch keep for later jobs. Its bytes are in the object store. */
export interface Cache {
  id: number
  repository_id: number
  branch: string
  /** The name of the archive, without folder and extension. */
  slug: string
  object_key: string
  /** In bytes. */
  size: number
  last_modified: Date
}
