"""What a model is made of, as far as memory and speed depend on it.

`read_shape` needs a config.json, and is exact with the safetensors headers; `shape_of_folder`
reads both from a folder. Neither looks at weights.
"""

from engine.planner.config_reader import read_shape
from engine.planner.folder_reader import shape_of_folder
from engine.planner.model_shape import Attention, ModelShape, ShapeError, TensorInfo

__all__ = ["Attention", "ModelShape", "ShapeError", "TensorInfo", "read_shape", "shape_of_folder"]
