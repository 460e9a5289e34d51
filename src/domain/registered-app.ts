/** What an app is at its code host, where it was registered from here. */
export interface NewApp {
  app_id: string
  name: string
  /** Its own page at the code host. */
  html_url: string
  /** PEM. */
  private_key: string
  webhook_secret: string
  client_id: string
  client_secret: string
}

/** What the code host is asked to register, in its own words. */
export interface AppManifest {
  name: string
  description: string
  url: string
  public: boolean
  hook_attributes: { url: string; active: boolean }
  /** Where the browser returns to. */
  redirect_url: string
  /** Where logins may return to. */
  callback_urls: readonly string[]
  default_permissions: Readonly<Record<string, string>>
  default_events: readonly string[]
}
