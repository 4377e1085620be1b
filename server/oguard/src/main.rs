//! The one binary. All it does is in the library: `oguard::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    oguard::cli::run()
}
