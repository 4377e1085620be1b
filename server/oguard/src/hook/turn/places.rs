//! The repositories that a question is about.
//!
//! The workspace is the folders that the host names, and the repositories around and directly below them. What lies outside
//! is another project's, and is not looked at.

use super::super::{Event, Question, Reply};
use crate::git::Repository;
use crate::project::real;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most repositories of a folder that is none itself.
const REPOSITORIES_MAX: usize = 16;

/// Most entries of such a folder that are looked at.
const ENTRIES_MAX: usize = 1_000;

/// A repository, and the edited files in it.
pub(super) struct Place {
    pub(super) repository: Repository,
    pub(super) paths: Vec<PathBuf>,
}

/// Returns the repositories that a question is about; where there is none, the answer says so.
pub(super) fn of(question: &Question, limit: Duration, reply: &mut Reply) -> Vec<Place> {
    let folders: Vec<PathBuf> = question.folders.iter().map(|folder| real(folder)).collect();
    let mut places: Vec<Place> = Vec::new();
    match &question.event {
        Event::Edited(paths) => {
            for path in paths {
                // The file itself may be a link; what it leads to is not what was asked about.
                let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { continue };
                let folder = real(parent);
                match Repository::discover_within(&folder, limit) {
                    Ok(Some(repository)) if of_workspace(repository.root(), &folders) => {
                        put(&mut places, repository, Some(folder.join(name)));
                    }
                    Ok(None) if folders.iter().any(|f| folder.starts_with(f)) => no_repository(&folder, reply),
                    Ok(_) => {}
                    Err(why) => reply.not_judged(why),
                }
            }
        }
        _ => {
            let mut troubled = false;
            for folder in &folders {
                match Repository::discover_within(folder, limit) {
                    Ok(Some(repository)) => put(&mut places, repository, None),
                    Ok(None) => {
                        for below in folders_in(folder) {
                            match Repository::discover_within(&below, limit) {
                                Ok(Some(repository)) if repository.root() == below => put(&mut places, repository, None),
                                Ok(_) => {}
                                Err(why) => reply.not_judged(why),
                            }
                        }
                    }
                    Err(why) => {
                        troubled = true;
                        reply.not_judged(why);
                    }
                }
            }
            if places.is_empty() && !troubled {
                no_repository(folders.first().map_or(Path::new("."), PathBuf::as_path), reply);
            }
        }
    }
    places
}

fn no_repository(folder: &Path, reply: &mut Reply) {
    reply.not_judged(format!("{} is not in a git repository, so there is no base; `oguard scan` judges whole files", folder.display()));
}

fn of_workspace(root: &Path, folders: &[PathBuf]) -> bool {
    let root = real(root);
    folders.iter().any(|folder| root.starts_with(folder) || folder.starts_with(&root))
}

fn put(places: &mut Vec<Place>, repository: Repository, path: Option<PathBuf>) {
    match places.iter_mut().find(|place| place.repository.root() == repository.root()) {
        Some(place) => place.paths.extend(path),
        None => places.push(Place { repository, paths: path.into_iter().collect() }),
    }
}

/// Returns the folders in a folder that hold a `.git`, by name.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(ENTRIES_MAX);
    let mut found: Vec<PathBuf> = entries.filter(|e| e.file_type().is_ok_and(|t| t.is_dir())).map(|e| e.path()).collect();
    found.retain(|below| below.join(".git").exists());
    found.sort();
    found.truncate(REPOSITORIES_MAX);
    found
}
