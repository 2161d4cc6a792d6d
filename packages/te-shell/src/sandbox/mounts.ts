/** One step of building what a command sees. Paths are absolute; later steps lie over earlier ones. */
export type Mount =
  | {
      readonly kind: "bind";
      readonly from: string;
      readonly at: string;
      readonly write: boolean;
      readonly isOptional?: boolean;
    }
  | { readonly kind: "link"; readonly to: string; readonly at: string }
  | { readonly kind: "tmpfs"; readonly at: string }
  | { readonly kind: "proc"; readonly at: string }
  | { readonly kind: "dev"; readonly at: string };

/** The box around one command. */
export interface BoxPlan {
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  readonly network: boolean;
  readonly hostView: boolean;
  /** Whose rights the command has, where we are root and may choose; undefined: ours. */
  readonly identity: Identity | undefined;
  /** A terminal of ours is around it: its session is the terminal's. */
  readonly keepsSession: boolean;
}

export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** The words that start a command in the box. */
export interface Boxed {
  readonly argv: readonly string[];
  /** Files that the wrapper opens for it. */
  readonly open: Readonly<Record<number, string>>;
}
