/** A build file with all that one code or rule has to say about it. Each is shown and executed. */
export interface Example {
  source: string
  messages: readonly string[]
  /** The file after its fixes. */
  fixed?: string
  /** Those fixes change the jobs, so they are applied only when asked for. */
  onRequest?: true
  /** What is shown comes up when jobs are made for a push to this branch. */
  branch?: string
  /** What the build file imports comes from these files. */
  imports?: Readonly<Record<string, string>>
}
